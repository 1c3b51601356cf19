package io.hawser.broker.relay;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Decides whose fragment is read from the store next: that of the highest priority and, among equals, of the one that was served
 * least recently. Of {@value #TURNS} turns one belongs to the longest waiter, whatever its priority: so the lowest gets an eighth of
 * what is read at least, however much the others want.
 *
 * <p>While all that is read and waits has one priority, everything is begun at once, and the store has the choice. Otherwise 8 MiB are
 * under way, and the rest waits here.
 *
 * <p>Thread: the relay's loop.
 */
final class ReadScheduler {
    static final int TURNS = 8;
    static final long MOST_BYTES = 8L << 20;

    private record Read(String subscription, int priority, long bytes, long number, Runnable begin) {}

    private final Map<String, ArrayDeque<Read>> waiting = new LinkedHashMap<>();
    /** By subscription, of those that wait: the number of its last turn. */
    private final Map<String, Long> lastTurn = new HashMap<>();
    /** By priority, how many are under way or wait. */
    private final TreeMap<Integer, Integer> known = new TreeMap<>();

    private long underWayBytes;
    private long turn;
    private long asked;

    /**
     * Somebody wants to read. {@link #done} must follow what {@code begin} begins.
     *
     * @param bytes how much, about
     */
    void ask(String subscription, int priority, long bytes, Runnable begin) {
        known.merge(priority, 1, Integer::sum);
        waiting.computeIfAbsent(subscription, unused -> new ArrayDeque<>())
                .add(new Read(subscription, priority, bytes, ++asked, begin));
        next();
    }

    /** A read has ended, with the same values. */
    void done(int priority, long bytes) {
        known.merge(priority, -1, Integer::sum);
        known.remove(priority, 0);
        underWayBytes -= bytes;
        next();
    }

    int waiting() {
        return waiting.values().stream().mapToInt(ArrayDeque::size).sum();
    }

    private void next() {
        while (!waiting.isEmpty() && (known.size() == 1 || underWayBytes < MOST_BYTES)) {
            Read read = choose();
            ArrayDeque<Read> own = waiting.get(read.subscription());
            if (own != null) {
                own.remove(read);
                if (own.isEmpty()) {
                    waiting.remove(read.subscription());
                    lastTurn.remove(read.subscription());
                } else {
                    lastTurn.put(read.subscription(), turn);
                }
            }
            underWayBytes += read.bytes();
            read.begin().run();
        }
    }

    private Read choose() {
        turn++;
        Comparator<Read> oldest = Comparator.comparingLong(Read::number);
        Comparator<Read> order = turn % TURNS == 0
                ? oldest
                : Comparator.comparingInt(Read::priority)
                        .reversed()
                        .thenComparing(read -> lastTurn.getOrDefault(read.subscription(), 0L))
                        .thenComparing(oldest);
        return waiting.values().stream().map(ArrayDeque::getFirst).min(order).orElseThrow();
    }
}
