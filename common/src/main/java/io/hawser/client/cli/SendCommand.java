package io.hawser.client.cli;

import io.hawser.client.ClientOptions;
import io.hawser.client.HawserClient;
import io.hawser.client.StateDirectory;
import io.hawser.client.StateSlot;
import io.hawser.common.cli.AgentKeys;
import io.hawser.common.cli.ExitCode;
import io.hawser.common.cli.HawserCommand;
import io.hawser.common.cli.NodeKeys;
import io.hawser.common.config.Config;
import io.hawser.common.config.ConfigException;
import io.hawser.common.config.ConfigKey;
import io.hawser.common.model.CompletionRule;
import io.hawser.common.model.Topic;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code hawser send}: sends files and directory trees, and waits until they are as safe as asked for.
 *
 * <p>Thread: main only.
 */
@Command(
        name = "send",
        description = {
            "Sends files and directory trees to a topic and waits until they are as safe as --wait says: spooled (in the"
                    + " journal here), brokered (durable at the broker), landed (durable and verified at the far end) or"
                    + " delivered (published there).",
            "Files are read in place. After Ctrl-C or a crash the same command goes on where it was, within 7 days: what was"
                    + " finished and has not changed is not sent again."
        },
        footer = {
            "",
            "Example:  hawser send big.iso photos/ --to site-b",
            "          hawser send report.pdf --to site-b --wait delivered",
            "          hawser send report.pdf --to mirrors --wait landed --complete any:2"
        })
public final class SendCommand implements HawserCommand {
    private static final ConfigKey<String> TO = ConfigKey.text("to", "TOPIC", null, "the topic to send to");
    private static final ConfigKey<Wait> WAIT =
            ConfigKey.choice("wait", Wait.BROKERED, "how safe the files must be before the command ends");
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
            "where the journal is kept (default: $XDG_STATE_HOME/hawser or ~/.local/state/hawser)");
    private static final ConfigKey<Duration> CONNECT_TIMEOUT = ConfigKey.duration(
            "connect-timeout",
            "30s",
            "how long to wait for the broker at first; a session that is lost later is waited for without end");
    /** Set by the launcher where standard error is a terminal. */
    private static final String TERMINAL_PROPERTY = "hawser.terminal";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "FILE|DIR", description = "what to send")
    private List<Path> paths = List.of();

    @Option(names = "--json", description = "print one line of JSON for each transfer")
    private boolean json;

    @SuppressWarnings("NullAway.Init") // set by configure, which comes before call
    private Config config;

    @SuppressWarnings("NullAway.Init") // set by configure, which comes before call
    private Topic topic;

    @Override
    public List<? extends ConfigKey<?>> keys() {
        return List.of(
                TO,
                AgentKeys.BROKER,
                AgentKeys.STREAMS,
                WAIT,
                COMPLETE,
                STATE,
                CONNECT_TIMEOUT,
                NodeKeys.SESSION_SILENCE,
                NodeKeys.TLS);
    }

    @Override
    public void configure(Config values) {
        config = values;
        try {
            topic = new Topic(values.get(TO));
        } catch (IllegalArgumentException e) {
            throw new ConfigException("--to: " + e.getMessage());
        }
        if (!values.get(COMPLETE).equals(CompletionRule.ALL)
                && !values.get(WAIT).needsReceipts()) {
            throw new ConfigException(
                    "--complete counts what the far ends say: give --wait landed or --wait delivered, too");
        }
    }

    @Override
    public Integer call() throws Exception {
        SendPlan plan = SendPlan.of(paths);
        PrintWriter err = spec.commandLine().getErr();
        plan.skipped().forEach(what -> err.println("hawser: left out " + what));
        err.flush();
        Path state = config.find(STATE).orElseGet(ClientOptions::defaultState);
        ClientOptions options = ClientOptions.of(config.get(AgentKeys.BROKER).get(0))
                .withBrokers(config.get(AgentKeys.BROKER))
                .withState(state)
                .withStreams(config.get(AgentKeys.STREAMS))
                .withSessionSilence(config.get(NodeKeys.SESSION_SILENCE))
                .withTls(config.find(NodeKeys.TLS).orElse(null));
        Thread hook = new Thread(() -> sayHowToGoOn(err), "hawser-interrupted");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            HawserClient client = HawserClient.connect(options, preferred(StateDirectory.at(state)));
            SendMemory memory = openMemory(client);
            try (memory;
                    client) { // the client first: what it finishes while it closes is to be remembered
                memory.watchOthers(client);
                return send(client, memory, plan);
            }
        } finally {
            remove(hook);
        }
    }

    /** Slots with an interrupted run of this command, then such as have something left of another's. */
    private List<StateSlot> preferred(StateDirectory state) throws IOException {
        List<StateSlot> ours = new ArrayList<>();
        List<StateSlot> others = new ArrayList<>();
        for (StateSlot slot : state.slots()) {
            if (slot.isFor(config.get(AgentKeys.BROKER))) {
                if (SendMemory.isIn(slot.directory(), topic, paths)) {
                    ours.add(slot);
                } else if (!slot.isSettled()) {
                    others.add(slot);
                }
            }
        }
        ours.addAll(others);
        return ours;
    }

    private SendMemory openMemory(HawserClient client) throws IOException {
        try {
            return SendMemory.open(client.slot(), topic, paths);
        } catch (IOException e) {
            client.close();
            throw e;
        }
    }

    /** Ctrl-C: journal and memory are whole at any moment, so there is nothing to do but to say so. */
    private static void sayHowToGoOn(PrintWriter err) {
        err.println();
        err.println("hawser: interrupted; the same command goes on where this one was");
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

    private int send(HawserClient client, SendMemory memory, SendPlan plan) throws IOException {
        long startedNanos = System.nanoTime();
        boolean terminal = Boolean.getBoolean(TERMINAL_PROPERTY) && !json;
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        SendRun.Order order =
                new SendRun.Order(topic, config.get(WAIT), config.get(COMPLETE), config.get(CONNECT_TIMEOUT));
        List<Sending> sendings;
        try (SendDisplay display = new SendDisplay(plan.sizeBytes(), terminal, err)) {
            sendings = new SendRun(client, memory, display, plan, order).run();
        }
        SendReport report = new SendReport(sendings, order.level());
        if (json) {
            report.json(out);
        } else {
            report.text(plan.sizeBytes(), (System.nanoTime() - startedNanos) / 1e9, out, err);
        }
        if (report.exitCode() == ExitCode.OK) {
            memory.forget();
        }
        return report.exitCode().code();
    }
}
