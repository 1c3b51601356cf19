package io.hawser.send;

import io.hawser.client.ClientOptions;
import io.hawser.client.HawserClient;
import io.hawser.client.SentTransfer;
import io.hawser.client.StateDirectory;
import io.hawser.client.StateSlot;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.config.HostPort;
import io.hawser.core.model.CompletionRule;
import io.hawser.core.model.Printable;
import io.hawser.core.model.Topic;
import io.hawser.ops.cli.AgentFlags;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.CommandSection;
import io.hawser.ops.cli.CommonNodeFlags;
import io.hawser.ops.cli.ExitCode;
import io.hawser.ops.cli.Subcommand;
import io.hawser.ops.cli.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code hawser send}: sends files and directory trees, and waits until they are as safe as asked for. */
@Command(
        name = "send",
        header = "Send files and directories to a topic.",
        description = {
            "Sends files and directory trees to a topic and waits until they are as safe as --wait says: spooled (in the"
                    + " journal here), brokered (durable at the broker), landed (durable and verified at the far end) or"
                    + " delivered (published there).",
            "Files are read in place. After Ctrl-C or a crash the same command continues, within 7 days: what was"
                    + " finished and has not changed is not sent again. What was refused, or what a far end does not deliver, is"
                    + " sent anew."
        },
        footer = {
            "",
            "Example:  hawser send big.iso photos/ --to site-b",
            "          hawser send report.pdf --to site-b --wait delivered --timeout 10m",
            "          hawser send report.pdf --to mirrors --wait landed --complete any:2",
            "          hawser send --unfinished --broker broker.example:7400"
        })
public final class SendCommand implements Subcommand {
    private static final ConfigKey<String> TO = ConfigKey.text("to", "TOPIC", null, "the topic to send to");
    private static final ConfigKey<WaitLevel> WAIT =
            ConfigKey.choice("wait", WaitLevel.BROKERED, "how safe the files must be before the command ends");
    private static final ConfigKey<CompletionRule> COMPLETE = new ConfigKey<>(
            "complete",
            "all|any:K",
            "all",
            "",
            "with --wait landed or delivered: how many subscriptions must have the files, all that were there when they were committed or any"
                    + " K of them; the others get them all the same",
            CompletionRule::parse);
    private static final ConfigKey<Path> STATE = ConfigKey.path(
            "state",
            "DIR",
            null,
            "where the journal is kept (default: $XDG_STATE_HOME/hawser or ~/.local/state/hawser); several commands can use it at once");
    private static final ConfigKey<Duration> CONNECT_TIMEOUT = ConfigKey.duration(
            "connect-timeout",
            "30s",
            "how long to wait for the broker at first; a session that is lost later is waited for without end");
    private static final ConfigKey<Duration> TIMEOUT = ConfigKey.duration(
            "timeout",
            null,
            "how long to wait for all of it; then the exit code is 7, and what was accepted stays so (default: as long as it takes)");
    /** How long the end waits for the journal to have the cancel of a refused transfer. No broker is needed for that. */
    private static final int CANCEL_SECONDS = 2;

    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..*", paramLabel = "FILE|DIR", description = "what to send")
    private List<Path> paths = List.of();

    @Option(names = "--json", description = "print one line of JSON for each object")
    private boolean json;

    @Option(
            names = "--unfinished",
            description = "send nothing new, and finish what earlier runs have left for this broker")
    private boolean unfinished;

    private Config config;

    private Optional<Topic> topic = Optional.empty();

    @Override
    public CommandSection section() {
        return CommandSection.SEND;
    }

    @Override
    public List<? extends ConfigKey<?>> keys() {
        return List.of(
                TO,
                AgentFlags.BROKER,
                AgentFlags.STREAMS,
                WAIT,
                COMPLETE,
                STATE,
                CONNECT_TIMEOUT,
                TIMEOUT,
                CommonNodeFlags.SESSION_SILENCE,
                CommonNodeFlags.TLS);
    }

    @Override
    public void configure(Config values) {
        config = values;
        topic = values.find(TO).map(name -> TO.parsed(name, Topic::new));
        if (unfinished && !paths.isEmpty()) {
            throw new ConfigException("--unfinished sends nothing new: leave out the files");
        } else if (!unfinished && paths.isEmpty()) {
            throw new ConfigException("say what to send: a file or a directory");
        } else if (!unfinished && topic.isEmpty()) {
            throw new ConfigException("--to is missing: the topic to send to");
        }
        if (!values.get(COMPLETE).equals(CompletionRule.ALL)
                && !values.get(WAIT).needsReceipts()) {
            throw new ConfigException(
                    "--complete counts what the far ends say: give --wait landed or --wait delivered, too");
        }
    }

    @Override
    public Integer call() throws Exception {
        SendPlan plan = unfinished ? new SendPlan(List.of(), List.of()) : SendPlan.of(paths);
        PrintWriter err = spec.commandLine().getErr();
        plan.skipped()
                .forEach(each -> err.println(Printable.text("hawser: left out " + each.path() + ": " + each.reason())));
        err.flush();
        StateDirectory state = StateDirectory.at(stateDirectory());
        Thread hook = new Thread(() -> sayHowToGoOn(err), "hawser-interrupted");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            int code = unfinished ? finish(state) : send(state, plan);
            sayWhatIsLeft(state, err);
            return code == ExitCode.OK.code() && !plan.skipped().isEmpty() ? ExitCode.FAILED.code() : code;
        } finally {
            remove(hook);
        }
    }

    private Path stateDirectory() {
        return config.find(STATE).orElseGet(ClientOptions::defaultState);
    }

    private List<String> brokers() {
        return config.get(AgentFlags.BROKER).stream().map(HostPort::toString).toList();
    }

    private ClientOptions options() {
        return ClientOptions.of(brokers().get(0))
                .withBrokers(brokers())
                .withState(stateDirectory())
                .withStreams(config.get(AgentFlags.STREAMS))
                .withSessionSilence(config.get(CommonNodeFlags.SESSION_SILENCE))
                .withTls(config.find(CommonNodeFlags.TLS).orElse(null));
    }

    private int send(StateDirectory state, SendPlan plan) throws IOException {
        HawserClient client = HawserClient.connect(options(), preferred(state));
        NameLocks names = lockNames(client, plan);
        try (names) {
            SendResumeLog resumeLog = openResumeLog(client);
            try (resumeLog;
                    client) { // the client first: what it finishes while it closes is to be remembered
                resumeLog.watchOthers(client);
                ExitCode code = follow(client, plan, Optional.of(resumeLog), run -> run.run());
                if (code == ExitCode.OK) {
                    resumeLog.forget();
                }
                return code.code();
            }
        }
    }

    /** Finishes what has not reached the level in the slots of this destination that no process uses, one after the other. */
    private int finish(StateDirectory state) throws IOException {
        ExitCode worst = ExitCode.OK;
        boolean any = false;
        for (StateSlot slot : state.slots()) {
            if (mayLackLevel(slot) && slot.isFor(brokers())) {
                Optional<ExitCode> finished = state.isInUse(slot) ? Optional.of(inUse(slot)) : finish(slot);
                any |= finished.isPresent();
                ExitCode code = finished.orElse(ExitCode.OK);
                worst = worst == ExitCode.OK || code == ExitCode.FAILED ? code : worst;
            }
        }
        if (!any && !json) {
            PrintWriter out = spec.commandLine().getOut();
            out.println("nothing is left for " + String.join(",", brokers()));
            out.flush();
        }
        return worst.code();
    }

    /** Of a settled slot the broker has everything, but perhaps not yet the far ends. */
    private boolean mayLackLevel(StateSlot slot) {
        return !slot.isSettled()
                || (config.get(WAIT).needsReceipts() && !slot.brokers().isEmpty());
    }

    /** Whether it has not reached the level that is asked for, also if it cannot. What is spooled goes on to the broker. */
    private boolean isLeft(SentTransfer transfer) {
        WaitLevel level = config.get(WAIT).needsReceipts() ? config.get(WAIT) : WaitLevel.BROKERED;
        return !SentObject.isReached(level.of(transfer, config.get(COMPLETE)));
    }

    /** Another process has it, and with it perhaps what an interrupted run has left. */
    private ExitCode inUse(StateSlot slot) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(
                "hawser: " + slot.directory() + " is in use by another process, which may have to finish something for "
                        + String.join(",", brokers()) + ". Run this again when it has ended");
        err.flush();
        return ExitCode.BUSY;
    }

    /** Of what an earlier run was told that it failed; a later run of its command sends it anew. */
    private Optional<ExitCode> sayWhatFailed(List<String> failed) {
        PrintWriter err = spec.commandLine().getErr();
        failed.forEach(
                name -> err.println(
                        Printable.text(
                                "hawser: " + name
                                        + " failed in an earlier run, and is not delivered. Run the command that sent it again: it is sent anew")));
        err.flush();
        return failed.isEmpty() ? Optional.empty() : Optional.of(ExitCode.FAILED);
    }

    /** Empty if nothing is left in the slot. */
    private Optional<ExitCode> finish(StateSlot slot) throws IOException {
        try (HawserClient client = HawserClient.connect(options(), List.of(slot))) {
            if (!client.slot().equals(slot.directory())) {
                return Optional.of(inUse(slot)); // since it was looked at
            }
            List<SendResumeLog> memories = SendResumeLog.watchAll(client);
            try {
                Optional<ExitCode> failed = sayWhatFailed(memories.stream()
                        .flatMap(memory -> memory.failedBefore().stream())
                        .toList());
                List<SentTransfer> left =
                        client.pending().stream().filter(this::isLeft).toList();
                if (left.isEmpty()) {
                    return failed;
                }
                List<SendPlan.Entry> entries = left.stream()
                        .map(transfer -> new SendPlan.Entry(
                                slot.directory(),
                                transfer.name(),
                                false,
                                Math.max(0, transfer.progress().sizeBytes())))
                        .toList();
                SendPlan plan = new SendPlan(entries, List.of());
                ExitCode code = follow(client, plan, Optional.empty(), run -> run.resume(left));
                return failed.isPresent() ? failed : Optional.of(code);
            } finally {
                memories.forEach(SendResumeLog::close);
            }
        }
    }

    /** Slots with an interrupted run of this command, then such as have something left of another's. */
    private List<StateSlot> preferred(StateDirectory state) throws IOException {
        List<StateSlot> ours = new ArrayList<>();
        List<StateSlot> others = new ArrayList<>();
        for (StateSlot slot : state.slots()) {
            if (slot.isFor(brokers())) {
                if (SendResumeLog.isIn(slot.directory(), topic.orElseThrow(), paths)) {
                    ours.add(slot);
                } else if (!slot.isSettled()) {
                    others.add(slot);
                }
            }
        }
        ours.addAll(others);
        return ours;
    }

    private NameLocks lockNames(HawserClient client, SendPlan plan) throws IOException {
        try {
            return NameLocks.take(stateDirectory(), topic.orElseThrow(), plan);
        } catch (IOException | CommandException e) {
            client.close();
            throw e;
        }
    }

    private SendResumeLog openResumeLog(HawserClient client) throws IOException {
        try {
            return SendResumeLog.open(client.slot(), topic.orElseThrow(), paths);
        } catch (IOException e) {
            client.close();
            throw e;
        }
    }

    /** Ctrl-C: journal and memory are whole at any moment, so there is nothing to do but to say so. */
    private static void sayHowToGoOn(PrintWriter err) {
        err.println();
        err.println("hawser: interrupted; run the same command again to continue");
        err.flush();
        Runtime.getRuntime().halt(ExitCode.INTERRUPTED.code());
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return; // Ctrl-C came now: the hook runs and has the last word
        }
    }

    private interface Task {
        List<SentObject> run(SendRun run) throws IOException;
    }

    private ExitCode follow(HawserClient client, SendPlan plan, Optional<SendResumeLog> resumeLog, Task task)
            throws IOException {
        long startedNanos = System.nanoTime();
        boolean terminal = Terminal.showsErrors() && !json;
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        SendRun.Order order = new SendRun.Order(
                topic, config.get(WAIT), config.get(COMPLETE), config.get(CONNECT_TIMEOUT), config.find(TIMEOUT));
        List<SentObject> sendings;
        SendDisplay display = new SendDisplay(plan.sizeBytes(), terminal, err);
        SendRun run = new SendRun(client, resumeLog, display, plan, order);
        try (display) {
            sendings = task.run(run);
        } catch (CommandException e) {
            if (json) {
                new SendReport(plan, run.sendings(), order, Optional.ofNullable(e.getMessage())).json(out);
            }
            throw e;
        }
        SendReport report = new SendReport(plan, sendings, order, Optional.empty());
        if (json) {
            report.json(out);
        } else {
            report.text((System.nanoTime() - startedNanos) / 1e9, out, err);
        }
        sendings.forEach(SendCommand::giveUpIfRefused);
        if (report.isLate()) {
            err.println("hawser: the time is over; what was accepted stays so: run the same command again to continue");
            err.flush();
        }
        if (out.checkError()) {
            throw new CommandException(
                    ExitCode.FAILED,
                    "standard output could not be written: what became of the files was not said. The same command sends"
                            + " nothing again that was finished");
        }
        return report.exitCode();
    }

    /** What this command calls refused is not offered to the broker again by a later one. */
    private static void giveUpIfRefused(SentObject sending) {
        SentTransfer transfer = sending.transfer();
        if (transfer == null || !sending.isRefused()) {
            return;
        }
        try {
            var unused = transfer.cancel("refused by the broker").get(CANCEL_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            return; // it has left the journal before
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Names what earlier runs left unfinished in slots that no process uses now, and the command that finishes it. */
    private void sayWhatIsLeft(StateDirectory state, PrintWriter err) throws IOException {
        Set<List<String>> destinations = new LinkedHashSet<>();
        for (StateSlot slot : state.slots()) {
            if (!slot.isSettled() && !slot.brokers().isEmpty() && !state.isInUse(slot)) {
                boolean ours = slot.isFor(brokers());
                destinations.add(ours ? brokers() : slot.brokers());
            }
        }
        for (List<String> brokers : destinations) {
            String names = String.join(",", brokers);
            err.println("hawser: note: what was accepted here for the broker " + names
                    + " may not all be there yet. To finish it: hawser send --unfinished --broker " + names
                    + config.find(STATE).map(path -> " --state " + path).orElse("")
                    + config.find(CommonNodeFlags.TLS)
                            .map(path -> " --tls " + path)
                            .orElse(""));
        }
        err.flush();
    }
}
