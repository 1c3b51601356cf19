package io.hawser.client.cli;

import io.hawser.client.ClientOptions;
import io.hawser.client.HawserClient;
import io.hawser.client.SentTransfer;
import io.hawser.common.cli.AgentKeys;
import io.hawser.common.cli.CommandException;
import io.hawser.common.cli.ExitCode;
import io.hawser.common.cli.HawserCommand;
import io.hawser.common.cli.NodeKeys;
import io.hawser.common.config.ByteSize;
import io.hawser.common.config.Config;
import io.hawser.common.config.ConfigException;
import io.hawser.common.config.ConfigKey;
import io.hawser.common.model.Topic;
import io.hawser.common.observe.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
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
            "Files are read in place. After Ctrl-C or a crash the same command goes on where it was."
        },
        footer = {
            "",
            "Example:  hawser send big.iso photos/ --to site-b",
            "          hawser send report.pdf --to site-b --wait delivered"
        })
public final class SendCommand implements HawserCommand {
    private static final ConfigKey<String> TO = ConfigKey.text("to", "TOPIC", null, "the topic to send to");
    private static final ConfigKey<Wait> WAIT =
            ConfigKey.choice("wait", Wait.BROKERED, "how safe the files must be before the command ends");
    private static final ConfigKey<Path> STATE = ConfigKey.path(
            "state",
            "DIR",
            null,
            "where the journal is kept (default: $XDG_STATE_HOME/hawser or ~/.local/state/hawser)");
    /** Set by the launcher where standard error is a terminal. */
    private static final String TERMINAL_PROPERTY = "hawser.terminal";

    private static final long SHOW_MILLIS = 200;

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
        return List.of(TO, AgentKeys.BROKER, AgentKeys.STREAMS, WAIT, STATE, NodeKeys.TLS);
    }

    @Override
    public void configure(Config values) {
        config = values;
        try {
            topic = new Topic(values.get(TO));
        } catch (IllegalArgumentException e) {
            throw new ConfigException("--to: " + e.getMessage());
        }
    }

    @Override
    public Integer call() throws Exception {
        SendPlan plan = SendPlan.of(paths);
        PrintWriter err = spec.commandLine().getErr();
        plan.skipped().forEach(what -> err.println("hawser: left out " + what));
        err.flush();
        ClientOptions options = ClientOptions.of(config.get(AgentKeys.BROKER))
                .withState(config.find(STATE).orElseGet(ClientOptions::defaultState))
                .withStreams(config.get(AgentKeys.STREAMS))
                .withTls(config.find(NodeKeys.TLS).orElse(null));
        Thread hook = new Thread(() -> sayHowToGoOn(err), "hawser-interrupted");
        Runtime.getRuntime().addShutdownHook(hook);
        try (HawserClient client = HawserClient.connect(options)) {
            return send(client, plan);
        } finally {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }

    /** Ctrl-C: the journal is whole at any moment, so there is nothing to do but to say so. */
    private static void sayHowToGoOn(PrintWriter err) {
        err.println();
        err.println("hawser: interrupted; the same command goes on where this one was");
        err.flush();
        Runtime.getRuntime().halt(ExitCode.INTERRUPTED.code());
    }

    private int send(HawserClient client, SendPlan plan) throws IOException {
        long startedNanos = System.nanoTime();
        List<SentTransfer> transfers = new ArrayList<>();
        boolean terminal = Boolean.getBoolean(TERMINAL_PROPERTY) && !json;
        try (SendDisplay display =
                new SendDisplay(plan.sizeBytes(), terminal, spec.commandLine().getErr())) {
            for (SendPlan.Entry entry : plan.entries()) {
                transfers.add(begin(client, entry));
                show(client, display, transfers, plan);
            }
            awaitAll(client, display, transfers, plan);
        }
        return report(transfers, plan, (System.nanoTime() - startedNanos) / 1e9);
    }

    private SentTransfer begin(HawserClient client, SendPlan.Entry entry) throws IOException {
        if (entry.isDirectory()) {
            return client.makeDirectory(topic.name(), entry.name());
        }
        Path file = entry.path().toAbsolutePath();
        var earlier = client.findPending(topic.name(), entry.name(), file);
        return earlier.isPresent() ? earlier.get() : client.send(topic.name(), file, entry.name());
    }

    private void awaitAll(HawserClient client, SendDisplay display, List<SentTransfer> transfers, SendPlan plan)
            throws IOException {
        CompletableFuture<?> all = CompletableFuture.allOf(transfers.stream()
                .map(transfer -> config.get(WAIT).of(transfer).handle((done, failure) -> 0))
                .toArray(CompletableFuture<?>[]::new));
        while (true) {
            try {
                all.get(SHOW_MILLIS, TimeUnit.MILLISECONDS);
                show(client, display, transfers, plan);
                return;
            } catch (TimeoutException e) {
                show(client, display, transfers, plan);
            } catch (ExecutionException e) {
                throw new IOException(e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CommandException(ExitCode.INTERRUPTED, "interrupted");
            }
        }
    }

    private void show(HawserClient client, SendDisplay display, List<SentTransfer> transfers, SendPlan plan) {
        long durable = 0;
        long finished = 0;
        for (SentTransfer transfer : transfers) {
            durable += transfer.progress().brokeredBytes();
            finished += config.get(WAIT).of(transfer).isDone() ? 1 : 0;
        }
        display.show(durable, finished, plan.entries().size(), client.connectionProblem());
    }

    /**
     * What became of one transfer, as JSON.
     *
     * @param key its key
     * @param name its name
     * @param level the custody level that it reached, or {@code failed}
     * @param problem why it failed; null if it did not
     */
    private record Line(
            String key, String name, String level, @Nullable String problem) {}

    private int report(List<SentTransfer> transfers, SendPlan plan, double seconds) {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        String level = config.get(WAIT).name().toLowerCase(Locale.ROOT);
        int failed = 0;
        for (SentTransfer transfer : transfers) {
            String problem = problemOf(transfer);
            failed += problem == null ? 0 : 1;
            if (json) {
                String reached = problem == null ? level : "failed";
                out.println(Json.text(new Line(transfer.key().toString(), transfer.name(), reached, problem)));
            } else if (problem != null) {
                err.println("hawser: " + transfer.name() + ": " + problem);
            }
        }
        if (!json) {
            out.printf(
                    "%d of %d %s, %s in %.1f s%n",
                    transfers.size() - failed, transfers.size(), level, ByteSize.human(plan.sizeBytes()), seconds);
        }
        out.flush();
        err.flush();
        return (failed == 0 ? ExitCode.OK : ExitCode.FAILED).code();
    }

    private @Nullable String problemOf(SentTransfer transfer) {
        try {
            config.get(WAIT).of(transfer).get(0, TimeUnit.SECONDS);
            return null;
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            return cause == null ? e.getMessage() : cause.getMessage();
        } catch (TimeoutException e) {
            return "it is not " + config.get(WAIT).name().toLowerCase(Locale.ROOT) + " yet";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }
}
