package io.hawser.ops.event;

import io.hawser.core.config.ConfigException;
import io.hawser.core.model.Printable;
import io.hawser.core.thread.DaemonThreads;
import io.hawser.ops.observe.Json;
import io.hawser.store.event.EventType;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a command for each event of some types: the words of {@code --on} as its arguments, then the event's word, topic and name; the event
 * as a line of JSON on its standard input. Commands of one transfer run one after the other, at most {@value #CONCURRENT} at once. One that
 * fails or takes too long is run {@value #ATTEMPTS} times with a growing pause between, then the event is given up: a line in the log, and a
 * problem until a run succeeds.
 *
 * <p>Thread: {@code hawser-events-to-command-N}; the commands are awaited on threads of its own.
 */
final class EventCommand implements EventReceiver {
    private static final Logger LOG = LoggerFactory.getLogger(EventCommand.class);
    private static final int CONCURRENT = 4;
    private static final int ATTEMPTS = 3;
    private static final long FIRST_PAUSE_MILLIS = 1000;
    private static final int PAUSE_GROWTH = 4;
    /** As {@code execvp} has it. */
    private static final String DEFAULT_PATH = "/usr/bin:/bin";

    private final String name;
    private final Set<EventType> types;
    private final List<String> words;
    private final Duration limit;
    private final String node;
    private final EventLog log;
    private final ExecutorService threads;
    private volatile String problem = "";

    /** What {@code --on} says: events and a command. */
    record Rule(Set<EventType> types, List<String> words) {
        /** Parses {@code EVENT,...=COMMAND ARGUMENT ...}; throws ConfigException. */
        static Rule parse(String text) {
            int equals = text.indexOf('=');
            List<String> words = equals < 0
                    ? List.of()
                    : Arrays.stream(text.substring(equals + 1).strip().split("\\s+"))
                            .filter(word -> !word.isEmpty())
                            .toList();
            if (words.isEmpty()) {
                throw new ConfigException(
                        "--on is EVENT=COMMAND, such as failed,expired=/usr/local/bin/notify, not '" + text + "'");
            }
            Set<EventType> types = EnumSet.noneOf(EventType.class);
            for (String word : text.substring(0, equals).strip().split(",")) {
                try {
                    types.addAll(
                            word.equals("all") ? EnumSet.allOf(EventType.class) : Set.of(EventType.of(word.strip())));
                } catch (IllegalArgumentException e) {
                    throw new ConfigException("--on: " + e.getMessage() + "; events are all, "
                            + String.join(
                                    ", ",
                                    Arrays.stream(EventType.values())
                                            .map(EventType::word)
                                            .toList()));
                }
            }
            return new Rule(types, words);
        }

        /** Throws ConfigException if the command cannot be run. Without a slash in it, PATH says where it is. */
        void requireProgram() {
            String program = words.get(0);
            boolean isPath = program.indexOf('/') >= 0;
            List<Path> places = isPath
                    ? List.of(Path.of(program))
                    : Arrays.stream(System.getenv()
                                    .getOrDefault("PATH", DEFAULT_PATH)
                                    .split(":", -1))
                            .map(directory -> Path.of(directory, program))
                            .toList();
            if (places.stream().noneMatch(Files::isRegularFile)) {
                throw new ConfigException(
                        "--on: the program " + program + " is not found" + (isPath ? "" : " in PATH"));
            }
            if (places.stream().noneMatch(place -> Files.isRegularFile(place) && Files.isExecutable(place))) {
                throw new ConfigException(
                        "--on: the node's account may not run " + program + "; see its mode (chmod +x)");
            }
        }
    }

    /**
     * @param number tells it from others
     * @param limit how long a command may take
     * @param node the node's name
     */
    EventCommand(int number, Rule rule, Duration limit, String node, EventLog log) {
        this.name = "command-" + number;
        this.types = rule.types();
        this.words = rule.words();
        this.limit = limit;
        this.node = node;
        this.log = log;
        this.threads = Executors.newFixedThreadPool(CONCURRENT, DaemonThreads.numbered("hawser-on-" + number + "-"));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean wants(Event event) {
        return types.contains(event.type());
    }

    @Override
    public int deliver(List<Event> events) throws InterruptedException {
        Map<String, List<Event>> bySubject = new LinkedHashMap<>();
        events.forEach(event -> bySubject
                .computeIfAbsent(event.subjectText(), subject -> new ArrayList<>())
                .add(event));
        List<Future<?>> running = new ArrayList<>();
        bySubject.values().forEach(some -> running.add(threads.submit(() -> runAll(some))));
        for (Future<?> each : running) {
            try {
                each.get();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof InterruptedException) {
                    throw new InterruptedException("the node stops");
                }
                throw new IllegalStateException("a command could not be awaited", e.getCause());
            }
        }
        return events.size();
    }

    private Void runAll(List<Event> events) throws InterruptedException {
        for (Event event : events) {
            String why = run(event);
            long pauseMillis = FIRST_PAUSE_MILLIS;
            for (int attempt = 1; attempt < ATTEMPTS && !why.isEmpty(); attempt++) {
                Thread.sleep(pauseMillis); // a thread of its own, which close interrupts
                pauseMillis *= PAUSE_GROWTH;
                why = run(event);
            }
            if (why.isEmpty()) {
                problem = "";
            } else {
                problem = words.get(0) + " failed " + ATTEMPTS + " times, and event " + event.sequence() + " ("
                        + Printable.shortly(event.id()) + ") is given up: " + why;
                LOG.atWarn()
                        .addKeyValue("command", words.get(0))
                        .addKeyValue("event", event.id())
                        .addKeyValue("why", why)
                        .log("A command for an event has failed, and is given up");
            }
        }
        return null;
    }

    /** Runs it once. Returns why it failed; empty if it did not. */
    private String run(Event event) throws InterruptedException {
        List<String> command = new ArrayList<>(words);
        command.add(event.type().word());
        command.add(event.facts().topic());
        command.add(event.facts().name());
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
        try {
            LastLine said = new LastLine(process.getErrorStream(), "hawser-on-error");
            write(event, process);
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                return "it took longer than " + limit.toSeconds() + " s";
            }
            if (process.exitValue() == 0) {
                return "";
            }
            String line = said.await();
            return "exit status " + process.exitValue() + (line.isEmpty() ? "" : ": " + line);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** A command need not read it. */
    private void write(Event event, Process process) {
        try (OutputStream in = process.getOutputStream()) {
            in.write((Json.line(CloudEvent.of(event, node, log.id())) + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("A command does not read its event");
        }
    }

    @Override
    public Optional<String> problem() {
        return problem.isEmpty() ? Optional.empty() : Optional.of(problem);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
