package io.hawser.it.bench.recording;

import io.hawser.core.trace.HopMessageEvent;
import io.hawser.core.trace.WorkSpanEvent;
import io.hawser.release.process.ProcessChain.Part;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedEvent;
import org.jspecify.annotations.Nullable;

/**
 * Turns the events of the nodes' recordings into pieces of work of stages. agent-a's come first, then the broker's, then agent-b's:
 * of a packet its sending must be known when its arrival is met.
 *
 * <p>Thread: one.
 */
final class StageEvents {
    /** What is recorded: every access to a file, and what Hawser tells of itself. */
    static final Map<String, Map<String, String>> EVENTS = Map.of(
            "jdk.FileWrite",
            Map.of("threshold", "0 ms", "stackTrace", "false"),
            "jdk.FileRead",
            Map.of("threshold", "0 ms", "stackTrace", "false"),
            "jdk.FileForce",
            Map.of("threshold", "0 ms", "stackTrace", "false"),
            WorkSpanEvent.NAME,
            Map.of("threshold", "0 ms"),
            HopMessageEvent.NAME,
            Map.of());

    private final Map<Stage, List<Interval>> pieces = new EnumMap<>(Stage.class);
    /** Packets that were sent on a hop and have not arrived yet. */
    private final Map<Stage, Map<String, Deque<Long>>> onTheirWay = new EnumMap<>(Stage.class);
    /** When messages were sent or arrived, by node, direction and name. */
    private final Map<String, List<Long>> messages = new HashMap<>();
    /** When packets arrived, by the hop. */
    private final Map<Stage, List<Long>> arrivals = new EnumMap<>(Stage.class);

    /** All pieces of work so far. */
    Map<Stage, List<Interval>> pieces() {
        return pieces;
    }

    /** One more, from elsewhere. */
    void add(Stage stage, Interval piece) {
        pieces.computeIfAbsent(stage, s -> new ArrayList<>()).add(piece);
    }

    void take(Part node, RecordedEvent event) {
        String type = event.getEventType().getName();
        switch (type) {
            case "jdk.FileWrite", "jdk.FileRead", "jdk.FileForce" ->
                file(node, type, event).ifPresent(stage -> add(stage, interval(event, bytes(type, event))));
            case WorkSpanEvent.NAME ->
                work(node, event.getString("what")).ifPresent(stage -> add(stage, interval(event, 0)));
            case HopMessageEvent.NAME -> hopMessage(node, event);
            default -> {
                // The JVM tells of itself, too.
            }
        }
    }

    private static long bytes(String type, RecordedEvent event) {
        return switch (type) {
            case "jdk.FileWrite" -> event.getLong("bytesWritten");
            case "jdk.FileRead" -> event.getLong("bytesRead");
            default -> 0;
        };
    }

    static Interval interval(RecordedEvent event, long bytes) {
        return new Interval(nanos(event.getStartTime()), nanos(event.getEndTime()), bytes);
    }

    static long nanos(Instant instant) {
        return TimeUnit.SECONDS.toNanos(instant.getEpochSecond()) + instant.getNano();
    }

    private static Optional<Stage> file(Part node, String type, RecordedEvent event) {
        String path = event.getString("path");
        return path == null
                ? Optional.empty()
                : file(node, type, path, event.getThread().getJavaName());
    }

    /** Which stage an access to a file belongs to. */
    static Optional<Stage> file(Part node, String type, String path, String thread) {
        boolean write = type.equals("jdk.FileWrite");
        boolean force = type.equals("jdk.FileForce");
        return Optional.ofNullable(
                switch (node) {
                    case AGENT_A ->
                        path.contains("/agent-a/journal")
                                ? Stage.SPOOL_JOURNAL
                                : !path.contains("/agent-a/data")
                                        ? null
                                        : write ? Stage.SPOOL_WRITE : force ? Stage.SPOOL_FORCE : null;
                    case BROKER ->
                        !path.contains("/broker/log")
                                ? null
                                : !write && !force
                                        ? Stage.LOG_READ
                                        : !thread.startsWith("hawser-log-writer")
                                                ? Stage.LOG_AHEAD
                                                : write ? Stage.LOG_WRITE : Stage.LOG_FORCE;
                    case AGENT_B -> landing(path, write, force);
                });
    }

    private static @Nullable Stage landing(String path, boolean write, boolean force) {
        if (path.contains("/.hawser-landing-")) {
            return path.contains("/journal")
                    ? Stage.LANDING_JOURNAL
                    : write ? Stage.LANDING_WRITE : force ? Stage.LANDING_FORCE : Stage.READ_BACK;
        }
        return path.contains("/delivered") && force ? Stage.PUBLISH : null;
    }

    private static Optional<Stage> work(Part node, String what) {
        return switch (what) {
            case WorkSpanEvent.DIGEST -> node == Part.BROKER ? Optional.empty() : Optional.of(Stage.digest(node));
            case WorkSpanEvent.INDEX -> Optional.of(Stage.INDEX);
            case WorkSpanEvent.RENAME -> node == Part.AGENT_B ? Optional.of(Stage.PUBLISH) : Optional.empty();
            default -> Optional.empty();
        };
    }

    private void hopMessage(Part node, RecordedEvent event) {
        long at = nanos(event.getStartTime());
        boolean sent = event.getBoolean("sent");
        String what = event.getString("what");
        if (!what.equals(HopMessageEvent.PACKET)) {
            messages.computeIfAbsent(key(node, sent, what), k -> new ArrayList<>())
                    .add(at);
            return;
        }
        Stage hop = sent == (node == Part.AGENT_A) && node != Part.AGENT_B ? Stage.HOP_0 : Stage.HOP_1;
        Deque<Long> same = onTheirWay
                .computeIfAbsent(hop, h -> new HashMap<>())
                .computeIfAbsent(
                        event.getString("transfer") + " " + event.getLong("fragment") + " " + event.getInt("offset"),
                        k -> new ArrayDeque<>());
        if (sent) {
            same.add(at);
        } else {
            arrivals.computeIfAbsent(hop, h -> new ArrayList<>()).add(at);
            Long sentAt = same.poll();
            if (sentAt != null) {
                add(hop, new Interval(Math.min(sentAt, at), at, event.getInt("bytes")));
            }
        }
    }

    private static String key(Part node, boolean sent, String message) {
        return node + (sent ? " sent " : " got ") + message;
    }

    /** What takes two messages to tell, for a run: adds the openings, the commit and the receipt's way. */
    void addWaits(long from, long to) {
        wait(
                Stage.HOP_0_OPEN,
                key(Part.AGENT_A, true, "Open"),
                arrivals.getOrDefault(Stage.HOP_0, List.of()),
                from,
                to);
        wait(Stage.HOP_1_OPEN, key(Part.BROKER, true, "Open"), arrivals.getOrDefault(Stage.HOP_1, List.of()), from, to);
        wait(Stage.COMMIT, key(Part.AGENT_A, true, "CommitTransfer"), got(Part.AGENT_A, "Committed"), from, to);
        wait(Stage.RECEIPT, key(Part.AGENT_B, true, "ReceiptNotice"), got(Part.AGENT_A, "ReceiptNotice"), from, to);
    }

    private List<Long> got(Part node, String message) {
        return messages.getOrDefault(key(node, false, message), List.of());
    }

    /** From the first beginning in the window to the first end behind that. */
    private void wait(Stage stage, String beginning, List<Long> ends, long from, long to) {
        messages.getOrDefault(beginning, List.of()).stream()
                .filter(at -> at >= from && at <= to)
                .min(Long::compare)
                .ifPresent(begin -> ends.stream()
                        .filter(at -> at >= begin && at <= to)
                        .min(Long::compare)
                        .ifPresent(end -> add(stage, new Interval(begin, end, 0))));
    }
}
