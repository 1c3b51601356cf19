package io.hawser.receive;

import io.hawser.client.ClientOptions;
import io.hawser.client.HawserClient;
import io.hawser.client.HawserException;
import io.hawser.client.ReceivedFile;
import io.hawser.client.Receiver;
import io.hawser.core.config.ByteSize;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.model.Printable;
import io.hawser.core.model.Topic;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.CommandSection;
import io.hawser.ops.cli.Errors;
import io.hawser.ops.cli.ExitCode;
import io.hawser.ops.cli.InterruptNotice;
import io.hawser.ops.cli.Subcommand;
import io.hawser.ops.observe.Json;
import io.hawser.send.ClientFlags;
import io.hawser.send.SendOutput;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code hawser receive}: receives the files of a topic into a directory. */
@Command(
        name = "receive",
        header = "Receive the files of a topic into a directory.",
        description = {
            "Receives what is sent to a topic into a directory, each file whole, verified and once, until Ctrl-C, or as many files"
                    + " as --count says. Prints a line for each.",
            "It uses a subscription, which stays at the broker when this ends: the broker keeps what is sent meanwhile for the next"
                    + " run with the same --name and --into. 'hawser subscriptions remove NAME' ends it. For a service there is 'hawser"
                    + " agent-b'."
        },
        footer = {
            "",
            "Example:  hawser receive site-b --into in",
            "          hawser receive results --into in --once --timeout 1h"
        })
public final class ReceiveCommand implements Subcommand {
    private static final ConfigKey<Path> INTO =
            ConfigKey.path("into", "DIR", null, "the directory to receive into; made if it does not exist");
    private static final ConfigKey<String> NAME =
            ConfigKey.text("name", "NAME", null, "the subscription (default: of this user and host, for this topic)");
    private static final ConfigKey<Duration> TIMEOUT = ConfigKey.duration(
            "timeout", null, "with --once or --count: how long to wait for the files; then the exit code is 7");
    private static final long POLL_MILLIS = 200;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "TOPIC", description = "the topic")
    private String topic = "";

    @Option(names = "--once", description = "end after one file")
    private boolean once;

    @Option(names = "--count", paramLabel = "N", description = "end after N files; later ones stay for the next run")
    private @Nullable Long count;

    @Option(names = "--json", description = "print one line of JSON for each file")
    private boolean json;

    @Option(names = "--quiet", description = "say only what went wrong")
    private boolean quiet;

    private Config config;
    private SendOutput output;
    private final BlockingQueue<ReceivedFile> ended = new LinkedBlockingQueue<>();

    @Override
    public CommandSection section() {
        return CommandSection.SEND;
    }

    @Override
    public List<? extends ConfigKey<?>> keys() {
        return ClientFlags.keys(INTO, NAME, TIMEOUT);
    }

    @Override
    public void configure(Config values) {
        config = values;
        if (!Topic.isValid(topic)) {
            throw new ConfigException("'" + topic + "' is no topic: letters, digits, dots, dashes and underscores");
        } else if (values.find(INTO).isEmpty()) {
            throw new ConfigException("--into is missing: the directory to receive into");
        } else if (once && count != null) {
            throw new ConfigException("--once is --count 1: give one of them");
        } else if (count != null && count < 1) {
            throw new ConfigException("--count is 1 or more, not " + count);
        } else if (values.find(TIMEOUT).isPresent() && most() == Long.MAX_VALUE) {
            throw new ConfigException("--timeout is for --once and --count");
        } else if (!Topic.isValid(subscription())) {
            throw new ConfigException("--name '" + subscription() + "' is no name of a subscription");
        }
        output = SendOutput.of(spec, json, quiet);
    }

    private long most() {
        return once ? 1 : count == null ? Long.MAX_VALUE : count;
    }

    private String subscription() {
        return config.find(NAME).orElseGet(() -> defaultName(topic, System.getProperty("user.name", "user"), host()));
    }

    /** As long as a subscription's name may be. */
    static String defaultName(String topic, String user, String host) {
        String name = ("receive-" + user + "-" + host + "-" + topic).replaceAll("[^A-Za-z0-9._-]", "_");
        return name.substring(0, Math.min(Topic.MAX_LENGTH_BYTES, name.length()));
    }

    private static String host() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException e) {
            return "localhost";
        }
    }

    @Override
    public Integer call() throws IOException {
        ClientOptions options = ClientFlags.options(config);
        InterruptNotice notice = InterruptNotice.install(
                output.err(),
                "interrupted; the broker keeps what is sent from now on for the subscription " + subscription()
                        + ": the same command receives it, and 'hawser subscriptions remove " + subscription()
                        + "' ends it");
        try (notice;
                HawserClient client = HawserClient.connect(options);
                Receiver receiver = client.receiveInto(
                        topic, subscription(), config.get(INTO).toAbsolutePath(), most(), ended::add)) {
            return receive(client, receiver).code();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.INTERRUPTED.code();
        }
    }

    private ExitCode receive(HawserClient client, Receiver receiver) throws InterruptedException {
        long startedNanos = System.nanoTime();
        Optional<Duration> timeout = config.find(TIMEOUT);
        long files = 0;
        boolean failed = false;
        while (files < most()) {
            ReceivedFile file = ended.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
            if (file != null) {
                say(file);
                files += file.kind().hasBytes() ? 1 : 0;
                failed |= !file.isPublished();
                continue;
            }
            check(client, receiver, System.nanoTime() - startedNanos);
            if (timeout.isPresent()
                    && System.nanoTime() - startedNanos > timeout.get().toNanos()) {
                throw new CommandException(
                        ExitCode.NOT_YET,
                        "received " + files + " of " + most()
                                + " within --timeout; the same command receives the others");
            }
        }
        return failed ? ExitCode.FAILED : ExitCode.OK;
    }

    /** Ends with a sentence if nothing will come. */
    private void check(HawserClient client, Receiver receiver, long nanos) throws InterruptedException {
        if (receiver.ended().isDone()) {
            try {
                receiver.ended().get();
            } catch (ExecutionException e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                boolean disk =
                        cause instanceof HawserException why && why.reason() == HawserException.Reason.STORAGE_FAILED;
                throw new CommandException(disk ? ExitCode.STORAGE : ExitCode.REFUSED, Errors.sentence(cause), cause);
            }
        }
        boolean waitsForFirst = !receiver.subscribed().isDone();
        if (waitsForFirst && nanos > config.get(ClientFlags.CONNECT_TIMEOUT).toNanos()) {
            String problem = client.connectionProblem();
            throw new CommandException(
                    ExitCode.CANNOT_CONNECT,
                    problem.isEmpty()
                            ? "the broker did not confirm the subscription " + subscription()
                                    + "; is another consumer using it?"
                            : "cannot connect to the broker " + String.join(",", client.brokers()) + ": " + problem);
        }
    }

    /** A file as JSON. */
    private record Line(
            String key,
            String name,
            String kind,
            long sizeBytes,
            @Nullable String problem) {}

    private void say(ReceivedFile file) {
        PrintWriter out = output.out();
        String kind = file.kind().name().toLowerCase(Locale.ROOT);
        if (json) {
            out.println(Json.line(new Line(
                    file.id().toString(),
                    file.name(),
                    kind,
                    file.sizeBytes(),
                    file.isPublished() ? null : file.problem())));
        } else if (!file.isPublished()) {
            output.err().println(Printable.text("hawser: " + file.name() + " was not published: " + file.problem()));
        } else if (!quiet) {
            out.println(Printable.text(
                    file.kind().hasBytes()
                            ? String.format(Locale.ROOT, "%10s  %s", ByteSize.human(file.sizeBytes()), file.name())
                            : kind.replace('_', ' ') + "  " + file.name()));
        }
        out.flush();
    }
}
