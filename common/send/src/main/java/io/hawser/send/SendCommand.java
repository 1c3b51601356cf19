package io.hawser.send;

import io.hawser.client.ClientOptions;
import io.hawser.client.HawserClient;
import io.hawser.client.StateDirectory;
import io.hawser.client.StateSlot;
import io.hawser.core.config.ByteSize;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.model.CompletionRule;
import io.hawser.core.model.Printable;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.CommandSection;
import io.hawser.ops.cli.CommonNodeFlags;
import io.hawser.ops.cli.ExitCode;
import io.hawser.ops.cli.InterruptNotice;
import io.hawser.ops.cli.Subcommand;
import io.hawser.ops.observe.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
                    + " delivered (published there). '-' is standard input, which needs --name.",
            "Files are read in place. After Ctrl-C or a crash the same command continues, within 7 days: what was"
                    + " finished and has not changed is not sent again. What was refused, or what a far end does not deliver, is"
                    + " sent anew.",
            "A GLOB of --include or --exclude without '/' fits the name of a file or directory at any depth, another one the"
                    + " path below the directory that is sent; '**' crosses directories. What fits a directory fits all below it, and"
                    + " --exclude goes first."
        },
        footer = {
            "",
            "Example:  hawser send big.iso photos/ --to site-b",
            "          hawser send photos/ --to site-b:2026 --exclude '*.tmp' --dry-run",
            "          hawser send a.pdf --to site-b --wait delivered --timeout 10m",
            "          hawser send a.pdf --to mirrors --wait landed --complete any:2",
            "          pg_dump shop | hawser send - --name shop.sql --to site-b:dumps",
            "          hawser send --unfinished --broker broker.example:7400"
        })
public final class SendCommand implements Subcommand {
    private static final ConfigKey<String> NAME = new ConfigKey<>(
            "name",
            "NAME",
            null,
            "",
            "what standard input ('-') is called at the far end",
            SendDestination::normalised);
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
    private static final ConfigKey<Duration> TIMEOUT = ConfigKey.duration(
            "timeout",
            null,
            "how long to wait for all of it; then the exit code is 7, and what was accepted stays so (default: as long as it takes)");

    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..*", paramLabel = "FILE|DIR|-", description = "what to send")
    private List<Path> paths = List.of();

    @Mixin
    private SendingFlags sending = new SendingFlags();

    @Option(names = "--dry-run", description = "say what would be sent and what left out, and send nothing")
    private boolean dryRun;

    @Option(names = "--quiet", description = "say only what went wrong")
    private boolean quiet;

    @Option(
            names = "--json",
            description =
                    "print lines of JSON: one for each object when it is settled, and once a second how far the whole is")
    private boolean json;

    @Option(
            names = "--unfinished",
            description = "send nothing new, and finish what earlier runs have left for this broker")
    private boolean unfinished;

    private Config config;
    private SendOutput output;
    private Optional<SendDestination> destination = Optional.empty();
    private NameFilter filter = NameFilter.ALL;

    @Override
    public CommandSection section() {
        return CommandSection.SEND;
    }

    @Override
    public List<? extends ConfigKey<?>> keys() {
        return ClientFlags.keys(SendingFlags.TO, NAME, SendingFlags.RATE, WAIT, COMPLETE, TIMEOUT);
    }

    @Override
    public void configure(Config values) {
        config = values;
        destination = values.find(SendingFlags.TO);
        if (unfinished && !paths.isEmpty()) {
            throw new ConfigException("--unfinished sends nothing new: leave out the files");
        } else if (!unfinished && paths.isEmpty()) {
            throw new ConfigException("say what to send: a file or a directory");
        } else if (!unfinished && destination.isEmpty()) {
            throw new ConfigException("--to is missing: the topic to send to");
        } else if (dryRun && unfinished) {
            throw new ConfigException(
                    "--dry-run shows what files would be sent: name some, and leave out --unfinished");
        }
        output = SendOutput.of(spec, json, quiet);
        filter = sending.filter();
        checkInputName(values);
        if (!values.get(COMPLETE).equals(CompletionRule.ALL)
                && !values.get(WAIT).needsReceipts()) {
            throw new ConfigException(
                    "--complete counts what the far ends say: give --wait landed or --wait delivered, too");
        }
    }

    private void checkInputName(Config values) {
        if (paths.contains(SendPlan.STANDARD_INPUT) && values.find(NAME).isEmpty()) {
            throw new ConfigException("'-' sends standard input: say with --name what it is called at the far end"
                    + " (a file of the name '-' is './-')");
        } else if (values.find(NAME).filter(String::isEmpty).isPresent()) {
            throw new ConfigException("--name is empty");
        }
    }

    @Override
    public Integer call() throws Exception {
        SendPlan plan = unfinished ? new SendPlan(List.of(), List.of()) : SendPlan.of(paths, choice());
        if (dryRun) {
            return dryRun(plan).code();
        }
        sayWhatIsSkipped(plan, output.err());
        SendFollower follower = new SendFollower(output, order());
        StateDirectory state = StateDirectory.at(stateDirectory());
        UnfinishedSends left = new UnfinishedSends(state, options(), follower, stateFlags());
        InterruptNotice notice = InterruptNotice.install(output.err(), howToContinue());
        try (notice) {
            ExitCode code = unfinished ? left.finish() : send(state, plan, follower);
            if (!quiet) {
                left.sayWhatIsLeft();
            }
            return code == ExitCode.OK ? exitCode(plan).code() : code.code();
        }
    }

    private SendPlan.Choice choice() {
        return new SendPlan.Choice(destination.map(SendDestination::directory).orElse(""), filter, inputName());
    }

    private @Nullable String inputName() {
        return config.find(NAME).orElse(null);
    }

    private SendRun.Order order() {
        return new SendRun.Order(
                destination.map(SendDestination::topic),
                config.get(WAIT),
                config.get(COMPLETE),
                config.get(ClientFlags.CONNECT_TIMEOUT),
                config.find(TIMEOUT),
                SendingFlags.bytesPerSecond(config));
    }

    /** What was left out without having been asked for is no success. */
    private static ExitCode exitCode(SendPlan plan) {
        return plan.skipped().stream().allMatch(SendPlan.Skipped::isWanted) ? ExitCode.OK : ExitCode.FAILED;
    }

    private static void sayWhatIsSkipped(SendPlan plan, PrintWriter err) {
        plan.skipped().stream()
                .filter(each -> !each.isWanted())
                .forEach(each -> err.println(Printable.text("hawser: left out " + each.path() + ": " + each.reason())));
        err.flush();
    }

    /** One object of a dry run, as JSON. */
    private record Planned(
            String name,
            boolean directory,
            long sizeBytes,
            @Nullable String skipped) {}

    private ExitCode dryRun(SendPlan plan) {
        PrintWriter out = output.out();
        for (SendPlan.Entry entry : plan.entries()) {
            String size = entry.isDirectory() ? "directory" : ByteSize.human(entry.sizeBytes());
            out.println(
                    json
                            ? Json.line(new Planned(entry.name(), entry.isDirectory(), entry.sizeBytes(), null))
                            : String.format(
                                    "%10s  %s",
                                    entry.isStandardInput() ? "unknown" : size, Printable.text(entry.name())));
        }
        for (SendPlan.Skipped skipped : plan.skipped()) {
            out.println(
                    json
                            ? Json.line(new Planned(skipped.name(), false, 0, skipped.reason()))
                            : Printable.text("   skipped  " + skipped.name() + ": " + skipped.reason()));
        }
        if (!json) {
            out.println("would send " + plan.entries().size()
                    + (plan.entries().size() == 1 ? " object, " : " objects, ")
                    + ByteSize.human(plan.sizeBytes()) + ", to " + destination.orElseThrow()
                    + (plan.skipped().isEmpty() ? "" : "; skipped " + plan.skippedText()) + ". Nothing was sent");
        }
        out.flush();
        return exitCode(plan);
    }

    private Path stateDirectory() {
        return ClientFlags.state(config);
    }

    private List<String> brokers() {
        return ClientFlags.brokers(config);
    }

    private String stateFlags() {
        return config.find(ClientFlags.STATE).map(path -> " --state " + path).orElse("")
                + config.find(CommonNodeFlags.TLS).map(path -> " --tls " + path).orElse("");
    }

    private ClientOptions options() {
        return ClientFlags.options(config).withRate(SendingFlags.bytesPerSecond(config));
    }

    private ExitCode send(StateDirectory state, SendPlan plan, SendFollower follower) throws IOException {
        HawserClient client = HawserClient.connect(options(), preferred(state));
        NameLocks names = lockNames(client, plan);
        try (names) {
            SendResumeLog resumeLog = openResumeLog(client);
            try (resumeLog;
                    client) { // the client first: what it finishes while it closes is to be remembered
                resumeLog.watchOthers(client);
                ExitCode code = follower.follow(client, plan, Optional.of(resumeLog), SendRun::run);
                if (code == ExitCode.OK) {
                    resumeLog.forget();
                }
                return code;
            }
        }
    }

    /** Slots with an interrupted run of this command, then such as have something left of another's. */
    private List<StateSlot> preferred(StateDirectory state) throws IOException {
        List<StateSlot> ours = new ArrayList<>();
        List<StateSlot> others = new ArrayList<>();
        for (StateSlot slot : state.slots()) {
            if (slot.isFor(brokers())) {
                if (SendResumeLog.isIn(slot.directory(), destination.orElseThrow(), paths)) {
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
            return NameLocks.take(stateDirectory(), destination.orElseThrow().topic(), plan);
        } catch (IOException | CommandException e) {
            client.close();
            throw e;
        }
    }

    private SendResumeLog openResumeLog(HawserClient client) throws IOException {
        try {
            return SendResumeLog.open(client.slot(), destination.orElseThrow(), paths);
        } catch (IOException e) {
            client.close();
            throw e;
        }
    }

    private String howToContinue() {
        return "interrupted; run the same command again to continue"
                + (paths.contains(SendPlan.STANDARD_INPUT)
                        ? ". What was read from standard input is lost unless all of it was read: run the program that wrote it"
                                + " again, too"
                        : "");
    }
}
