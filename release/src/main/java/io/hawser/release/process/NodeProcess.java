package io.hawser.release.process;

import io.hawser.core.config.HostPort;
import io.hawser.ops.cli.AdminClient;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.Hawser;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.TransferPage;
import io.hawser.ops.observe.TransferStatus;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * A hawser command that runs as a process of its own, with the class path of this JVM and the memory that the launcher
 * gives to a node. Its standard error goes to a file. It is ended by its handle only.
 *
 * <p>Thread: one; {@link #kill} any.
 */
public final class NodeProcess implements AutoCloseable {
    /** A factor on all limits here; the tests set it on an overloaded machine. */
    private static final int PATIENCE = Integer.getInteger("hawser.test.patience", 1);

    /** How long a node may take until it prints READY; an overloaded machine has been seen to take 40 s for a second's work. */
    public static final Duration START_LIMIT = Duration.ofSeconds(100L * PATIENCE);

    /** How long a node may take to end after SIGTERM: what the nodes promise. */
    public static final Duration STOP_LIMIT = Duration.ofSeconds(10L * PATIENCE);

    /** For a caller that asks often, and can ask again. */
    private static final Duration STATUS_TIMEOUT = Duration.ofSeconds(2);

    /** The launcher's options for every node: how much the compiler may do, and what there is to collect garbage. */
    private static final List<String> JVM_OPTIONS = List.of(
            "-XX:MaxInlineLevel=6",
            "-XX:FreqInlineSize=100",
            "-XX:InlineSmallCode=1000",
            "-XX:Tier4InvocationThreshold=25000",
            "-XX:Tier4MinInvocationThreshold=3000",
            "-XX:Tier4CompileThreshold=75000",
            "-XX:Tier4BackEdgeThreshold=200000",
            "-XX:+UseSerialGC",
            "-XX:+ExitOnOutOfMemoryError");

    /** The launcher's options for an agent, with the memory that every node is promised to be content with. */
    public static final List<String> NODE_OPTIONS = with("-Xmx64m", "-XX:MaxDirectMemorySize=64m");

    /** The launcher's options for a broker. */
    public static final List<String> BROKER_OPTIONS =
            with("-Xms32m", "-Xmx256m", "-XX:NewRatio=1", "-XX:MaxDirectMemorySize=352m");

    /** More options for every node, separated by blanks: the tests say by it what suits nodes that live for seconds. */
    private static final String MORE_OPTIONS = System.getProperty("hawser.node.options", "");

    private static final NodeClasses CLASSES = NodeClasses.ofThisJvm();

    private static final int LOG_TAIL_LINES = 15;

    private final String name;
    private final Process process;
    private final Path log;
    private final CompletableFuture<Map<String, HostPort>> started = new CompletableFuture<>();
    private final CompletableFuture<Void> ready = new CompletableFuture<>();

    private static List<String> with(String... memory) {
        return Stream.concat(Stream.of(memory), JVM_OPTIONS.stream()).toList();
    }

    private NodeProcess(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
    }

    /**
     * Starts a node and waits until it runs: it can be used, or says what it waits for. An agent-b whose broker is away does.
     *
     * @param log the file that its standard error is appended to
     * @param command the command's name and its arguments
     * @throws NotReadyException with the end of the log if it does not become ready
     */
    public static NodeProcess start(Path log, List<String> command) throws IOException {
        return start(log, List.of(), NODE_OPTIONS, Map.of(), command);
    }

    /**
     * The same with other JVM options, additions to the environment, and perhaps by another program, which replaces itself by the node.
     *
     * @param by that program and its arguments, such as {@code ip netns exec NAME}; empty for none
     */
    public static NodeProcess start(
            Path log, List<String> by, List<String> jvmOptions, Map<String, String> environment, List<String> command)
            throws IOException {
        NodeProcess node = begin(log, by, jvmOptions, environment, command);
        node.await(node.started, START_LIMIT);
        return node;
    }

    /** The same without waiting, for a node that is ready only when it is its turn: one of several brokers over one store. */
    public static NodeProcess begin(
            Path log, List<String> by, List<String> jvmOptions, Map<String, String> environment, List<String> command)
            throws IOException {
        NodeProcess node = new NodeProcess(command.get(0), launch(log, by, jvmOptions, environment, command), log);
        Thread reader = new Thread(node::readOutput, "stdout-" + command.get(0));
        reader.setDaemon(true);
        reader.start();
        return node;
    }

    /**
     * Waits until it can be used.
     *
     * @throws NotReadyException with the end of the log if it does not become ready; it is killed then
     */
    public void awaitReady(Duration limit) {
        await(ready, limit);
    }

    private void await(CompletableFuture<?> said, Duration limit) {
        try {
            said.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            String why = e instanceof TimeoutException
                    ? "was not ready within " + limit.toSeconds() + " s"
                    : "ended before it was ready";
            int exitCode = e instanceof ExecutionException ? exitCode(process) : -1;
            process.toHandle().destroyForcibly();
            exitCode(process); // so that nobody finds its directory in use
            throw new NotReadyException(name + " " + why + "; its log ends with:\n" + tail(log), exitCode, e);
        }
    }

    /** Whether it has said that it can be used, and still runs. */
    public boolean isReady() {
        return ready.isDone() && !ready.isCompletedExceptionally() && process.isAlive();
    }

    private static int exitCode(Process process) {
        try {
            return process.waitFor(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS) ? process.exitValue() : -1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return -1;
        }
    }

    /** A node that did not become ready. */
    public static final class NotReadyException extends IllegalStateException {
        private final int exitCode;

        NotReadyException(String message, int exitCode, Throwable cause) {
            super(message, cause);
            this.exitCode = exitCode;
        }

        /** With what it ended; -1 if it did not. */
        public int exitCode() {
            return exitCode;
        }
    }

    /** Starts any hawser command and leaves its standard output to the caller. */
    public static Process launch(
            Path log, List<String> jvmOptions, Map<String, String> environment, List<String> command)
            throws IOException {
        return launch(log, List.of(), jvmOptions, environment, command);
    }

    private static Process launch(
            Path log, List<String> by, List<String> jvmOptions, Map<String, String> environment, List<String> command)
            throws IOException {
        List<String> words = new ArrayList<>(by);
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(jvmOptions);
        words.addAll(Arrays.asList(MORE_OPTIONS.trim().split(" +")));
        words.remove("");
        words.addAll(List.of(CLASSES.archive(), "-Dfile.encoding=UTF-8", "-Dsun.jnu.encoding=UTF-8"));
        words.addAll(List.of("-cp", CLASSES.path(), Hawser.class.getName()));
        words.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().putAll(environment);
        builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        return builder.start();
    }

    /** The address of what is spoken, such as {@code ptcp}, {@code ftp} or {@code admin}; of a node that has started. */
    public HostPort address(String what) {
        Map<String, HostPort> addresses = started.isCompletedExceptionally() ? Map.of() : started.getNow(Map.of());
        HostPort address = addresses.get(what);
        if (address == null) {
            throw new IllegalArgumentException(name + " has no address " + what + ", but " + addresses);
        }
        return address;
    }

    /** What it says of a transfer; empty if it does not run, does not answer or does not know it. */
    public Optional<TransferStatus> transfer(String name) {
        if (!isAlive() || !started.isDone() || started.isCompletedExceptionally()) {
            return Optional.empty();
        }
        try {
            byte[] page = new AdminClient(address("admin"), null, STATUS_TIMEOUT)
                    .get("/transfers", Map.of("key", name, "limit", "10"));
            return Json.read(page, TransferPage.class).transfers().stream().findFirst();
        } catch (CommandException | IOException e) {
            return Optional.empty();
        }
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** What it wrote to standard error in all its runs, if they share a log. */
    public String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return "(no log: " + e.getMessage() + ")";
        }
    }

    /** {@code kill -9}; returns when the process is gone. */
    public void kill() {
        process.toHandle().destroyForcibly();
        await(Duration.ofSeconds(30));
    }

    /** SIGTERM; returns the exit code. */
    public int stop() {
        process.toHandle().destroy();
        if (!await(STOP_LIMIT)) {
            kill();
            throw new IllegalStateException(
                    name + " did not stop within " + STOP_LIMIT.toSeconds() + " s after SIGTERM");
        }
        return process.exitValue();
    }

    /** Waits for it to end by itself; returns the exit code. */
    public int awaitExit(Duration limit) {
        if (!await(limit)) {
            throw new IllegalStateException(name + " still runs after " + limit);
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        kill();
    }

    private boolean await(Duration limit) {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Reads to the end, so that a node never waits for a full pipe. What the JVM says there when it dies goes to the log. */
    private void readOutput() {
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.startsWith("READY ")) {
                    started.complete(parseAddresses(line));
                    ready.complete(null);
                } else if (line.startsWith("WAITING ")) {
                    started.complete(parseAddresses(line));
                } else {
                    Files.writeString(
                            log, "(stdout) " + line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                }
            }
            over(new IOException("end of output"));
        } catch (IOException e) {
            over(e);
        }
    }

    private void over(IOException cause) {
        started.completeExceptionally(cause);
        ready.completeExceptionally(cause);
    }

    private static Map<String, HostPort> parseAddresses(String line) {
        Map<String, HostPort> addresses = new HashMap<>();
        for (String word : line.split(" ")) {
            int equals = word.indexOf('=');
            if (equals > 0 && word.matches(".*:[0-9]+")) {
                addresses.put(word.substring(0, equals), HostPort.parse(word.substring(equals + 1)));
            }
        }
        return addresses;
    }

    private static String tail(Path log) {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size()));
        } catch (IOException e) {
            return "(no log: " + e.getMessage() + ")";
        }
    }
}
