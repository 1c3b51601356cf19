package io.hawser.release.drill;

import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigKey;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.Errors;
import io.hawser.ops.cli.ExitCode;
import io.hawser.ops.cli.ProgressLine;
import io.hawser.ops.cli.Subcommand;
import io.hawser.ops.cli.Terminal;
import io.hawser.ops.observe.Json;
import io.hawser.release.process.WorkDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code hawser drill}.
 *
 * <p>Thread: main, and the shutdown hook of Ctrl-C, which waits until main has ended in order.
 */
@Command(
        name = "drill",
        header = "Check a deployment: send known files, kill nodes, compare.",
        description = {
            "Sends canaries (files of known content) through Hawser, kills or stops its nodes meanwhile, and compares what"
                    + " arrives with what was sent: lost, duplicated, corrupt; and how soon each node was back.",
            "Alone it starts broker, agent-a and agent-b of its own. With --ftp or --broker it is about a deployment that"
                    + " runs: a check in one line, for cron; nothing is done to any of its nodes unless you choose one"
                    + " (--kill, --pause), point at it (--pid, --kill-command) and say how it comes back (--restart).",
            "Exit code 0: all held; 1: something did not; 2: usage; 3: it could not begin; 130: Ctrl-C, after canaries were"
                    + " removed and nodes brought back."
        },
        footer = {
            "",
            "Example:  hawser drill",
            "          hawser drill --kill broker,agent-b --times 20 --json report.json",
            "          hawser drill --ftp 127.0.0.1:2121              # a check, for cron",
            "          hawser drill --ftp 127.0.0.1:2121 --kill broker --times 3 \\",
            "              --pid broker='systemctl show -p MainPID --value hawser-broker' \\",
            "              --restart broker='systemctl restart hawser-broker'"
        })
public final class DrillCommand implements Subcommand {
    private static final long BASE_BYTES = 1L << 30;

    /** Canaries on their way at once, each in three places, and what the log has not given back yet. */
    private static final int COPIES = 64;

    /** How long Ctrl-C waits for an orderly end. */
    private static final long END_SECONDS = 90;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--admin",
            paramLabel = "NODE=HOST:PORT",
            description = "the admin address of a running node: shows what is sent again, and when a node is back")
    private List<String> admins = List.of();

    @Option(
            names = "--pid",
            paramLabel = "NODE=PID|COMMAND",
            description =
                    "the process of a running node that --kill or --pause may touch; or a command that prints its pid")
    private List<String> pids = List.of();

    @Option(
            names = "--kill-command",
            paramLabel = "NODE=COMMAND",
            description = "how to kill a running node, instead of kill -9 to its --pid")
    private List<String> killCommands = List.of();

    @Option(
            names = "--restart",
            paramLabel = "NODE=COMMAND",
            description = "how to start a node again that --kill names; one that starts it itself must end with '&'")
    private List<String> restarts = List.of();

    private Config config;

    private DrillSettings settings;

    private @Nullable ExternalDeploymentSettings pointed;

    @Override
    public List<? extends ConfigKey<?>> keys() {
        return DrillKeys.all();
    }

    @Override
    public void configure(Config values) {
        config = values;
        settings = DrillKeys.settings(values);
        ExternalDeploymentFlags flags = ExternalDeploymentFlags.of(admins, pids, killCommands, restarts);
        if (DrillKeys.isPointed(values)) {
            pointed = flags.pointed(values, settings, System.getenv());
        } else {
            flags.requireNone(values);
        }
    }

    @Override
    public Integer call() throws Exception {
        Path directory = directory();
        StopSignal stop = new StopSignal();
        CountDownLatch ended = new CountDownLatch(1);
        Thread hook = new Thread(() -> onInterrupt(stop, ended), "drill-end");
        Runtime.getRuntime().addShutdownHook(hook);
        boolean clean = false;
        try (DrillTarget deployment = deployment(directory)) {
            DrillReport report = drill(deployment, directory, stop);
            clean = report.verdict() != DrillReport.Verdict.FAILED;
            publish(report);
            return exitCode(report.verdict()).code();
        } finally {
            if (pointed != null || (clean && !settings.keep())) {
                WorkDirectory.delete(directory);
            } else {
                spec.commandLine().getErr().println("hawser: data and logs are kept in " + directory);
            }
            ended.countDown();
            remove(hook);
        }
    }

    private Path directory() throws IOException {
        if (pointed != null) {
            return Files.createTempDirectory("hawser-drill-");
        }
        try {
            return WorkDirectory.prepare(
                    config.find(DrillKeys.DIRECTORY),
                    "hawser-drill-",
                    BASE_BYTES + COPIES * settings.canaries().largestBytes());
        } catch (CommandException e) {
            // Of a drill "failed" means that something did not hold, and nothing was tried.
            throw e.exitCode() == ExitCode.FAILED ? cannotBegin(e) : e;
        }
    }

    private static CommandException cannotBegin(Exception cause) {
        return new CommandException(
                ExitCode.CANNOT_CONNECT, "the drill cannot begin: " + Errors.sentence(cause), cause);
    }

    private DrillTarget deployment(Path directory) throws IOException {
        ExternalDeploymentSettings running = pointed;
        return running == null
                ? new OwnDeployment(directory, settings.keep())
                : new ExternalDeployment(running, settings);
    }

    private DrillReport drill(DrillTarget deployment, Path directory, StopSignal stop)
            throws IOException, InterruptedException {
        CanaryGenerator names =
                new CanaryGenerator(settings.seed(), settings.canaries().largestBytes());
        PrintWriter out = spec.commandLine().getOut();
        boolean brief = isBrief();
        if (!brief) {
            DrillText.head(deployment.description(), settings, names.prefix()).forEach(out::println);
            out.println();
            out.flush();
        }
        try {
            deployment.start();
        } catch (IllegalStateException e) {
            throw cannotBegin(e);
        }
        ProgressLine progress =
                new ProgressLine(spec.commandLine().getErr(), Terminal.showsErrors() && !writesJsonOnly());
        return new Drill(
                        settings,
                        deployment,
                        names,
                        directory.resolve("api"),
                        stop,
                        line -> {
                            if (!brief) {
                                out.println(line);
                                out.flush();
                            }
                        },
                        progress)
                .run();
    }

    private void publish(DrillReport report) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (writesJsonOnly()) {
            out.println(Json.text(report));
        } else if (isBrief()) {
            out.println(DrillText.oneLine(report));
        } else {
            DrillText.summary(report).forEach(out::println);
        }
        out.flush();
        Optional<String> file = config.find(DrillKeys.JSON).filter(text -> !writesJsonOnly());
        if (file.isPresent()) {
            Files.writeString(Path.of(file.get()), Json.text(report) + "\n", StandardCharsets.UTF_8);
        }
    }

    private boolean writesJsonOnly() {
        return config.find(DrillKeys.JSON).filter(text -> text.equals("-")).isPresent();
    }

    /** A check, of which cron wants one line; or nothing but JSON. */
    private boolean isBrief() {
        return writesJsonOnly() || (pointed != null && settings.isCheck());
    }

    private static ExitCode exitCode(DrillReport.Verdict verdict) {
        return switch (verdict) {
            case HELD -> ExitCode.OK;
            case FAILED -> ExitCode.FAILED;
            case INTERRUPTED -> ExitCode.INTERRUPTED;
        };
    }

    /** Main does what is to be done; the JVM stays until it has. */
    private static void onInterrupt(StopSignal stop, CountDownLatch ended) {
        stop.request();
        try {
            boolean unused = ended.await(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(ExitCode.INTERRUPTED.code());
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return; // Ctrl-C came now: the hook runs and ends the process
        }
    }
}
