package io.hawser.broker.relay;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Decides whose fragment is read from the store next: that of the highest priority and, among equals, of the one that was served
 * least recently. Of {@value #TURNS} turns one belongs to who waits longest, whatever his priority: so the lowest gets an eighth of
 * what is read at least, however much the others want.
 *
 * <p>A fragment stays in its buffer until the consumer's streams have taken all of it, and a consumer may never read its streams. So a
 * reader (the principal of a consumer) gets another buffer only while it holds fewer than {@value #OF_FREE} times as many as are free: one
 * alone gets two thirds of them, and two that never read leave some to others. A reader without a buffer may take the last.
 *
 * <p>While all that is read and waits has one priority, everything that has a buffer is begun at once, and the store has the choice.
 * Otherwise 8 MiB are under way, and the rest waits here.
 *
 * <p>Thread: the relay's loop.
 */
final class ReadScheduler {
    static final int TURNS = 8;
    static final long MOST_BYTES = 8L << 20;
    /** A dynamic threshold, as switches have it for queues that share a memory (Choudhury and Hahne, 1998). */
    private static final int OF_FREE = 2;
    /** For a store that has a buffer for each read. */
    static final int UNLIMITED = Integer.MAX_VALUE;

    /** What waits in one order. */
    private record Line(String subscription, String reader) {}

    private record Read(Line line, int priority, long bytes, long number, Runnable begin) {}

    private final int buffers;
    private final Map<Line, ArrayDeque<Read>> waiting = new LinkedHashMap<>();
    /** By line, of those that wait: the number of its last turn. */
    private final Map<Line, Long> lastTurn = new HashMap<>();
    /** By priority, how many are under way or wait. */
    private final TreeMap<Integer, Integer> known = new TreeMap<>();
    /** By reader, how many buffers its reads have, or are about to have. */
    private final Map<String, Integer> held = new HashMap<>();

    private int heldByAll;
    private long underWayBytes;
    private long turn;
    private long asked;

    /**
     * Creates one.
     *
     * @param buffers how many fragments that were read may be in memory at once
     */
    ReadScheduler(int buffers) {
        this.buffers = buffers;
    }

    /**
     * Somebody wants to read. {@link #done} must follow what {@code begin} begins, and {@link #released} when its buffer is free.
     *
     * @param reader whose consumer it is for
     * @param bytes how much, about
     */
    void ask(String subscription, String reader, int priority, long bytes, Runnable begin) {
        known.merge(priority, 1, Integer::sum);
        Line line = new Line(subscription, reader);
        waiting.computeIfAbsent(line, unused -> new ArrayDeque<>())
                .add(new Read(line, priority, bytes, ++asked, begin));
        next();
    }

    /** A read has ended, with the same values. */
    void done(int priority, long bytes) {
        known.merge(priority, -1, Integer::sum);
        known.remove(priority, 0);
        underWayBytes -= bytes;
        next();
    }

    /** The buffer of a read is free again, or the read has ended without one. */
    void released(String reader) {
        held.merge(reader, -1, Integer::sum);
        held.remove(reader, 0);
        heldByAll--;
        next();
    }

    /** How many wait for their turn. */
    int waiting() {
        return waiting.values().stream().mapToInt(ArrayDeque::size).sum();
    }

    private boolean mayHoldMore(String reader) {
        int own = held.getOrDefault(reader, 0);
        long free = (long) buffers - heldByAll;
        return free > 0 && own < OF_FREE * free;
    }

    private void next() {
        Optional<Read> chosen = choose();
        while (chosen.isPresent()) {
            begin(chosen.get());
            chosen = choose();
        }
    }

    private void begin(Read read) {
        ArrayDeque<Read> own = waiting.get(read.line());
        if (own != null) {
            own.remove(read);
            if (own.isEmpty()) {
                waiting.remove(read.line());
                lastTurn.remove(read.line());
            } else {
                lastTurn.put(read.line(), turn);
            }
        }
        underWayBytes += read.bytes();
        held.merge(read.line().reader(), 1, Integer::sum);
        heldByAll++;
        read.begin().run();
    }

    private Optional<Read> choose() {
        if (waiting.isEmpty() || (known.size() > 1 && underWayBytes >= MOST_BYTES)) {
            return Optional.empty();
        }
        Comparator<Read> oldest = Comparator.comparingLong(Read::number);
        Comparator<Read> order = (turn + 1) % TURNS == 0
                ? oldest
                : Comparator.comparingInt(Read::priority)
                        .reversed()
                        .thenComparing(read -> lastTurn.getOrDefault(read.line(), 0L))
                        .thenComparing(oldest);
        Optional<Read> chosen = waiting.values().stream()
                .map(ArrayDeque::getFirst)
                .filter(read -> mayHoldMore(read.line().reader()))
                .min(order);
        turn += chosen.isPresent() ? 1 : 0;
        return chosen;
    }
}
