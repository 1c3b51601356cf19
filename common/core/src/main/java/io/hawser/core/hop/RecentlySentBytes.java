package io.hawser.core.hop;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Remembers to which fragments the last {@value #KEPT_BYTES} bytes given to each stream belong: bytes that may still be in its socket.
 *
 * <p>Thread: the sender's loop.
 */
final class RecentlySentBytes {
    /** More than a socket may hold unsent on a long link. */
    static final int KEPT_BYTES = 1 << 20;

    private record Packet(InFlightFragment flight, int length) {}

    private static final class StreamBacklog {
        final ArrayDeque<Packet> packets = new ArrayDeque<>();
        long bytes;
    }

    private final Map<Integer, StreamBacklog> byStream = new HashMap<>();

    void add(int stream, InFlightFragment flight, int length) {
        StreamBacklog backlog = byStream.computeIfAbsent(stream, first -> new StreamBacklog());
        backlog.packets.addLast(new Packet(flight, length));
        backlog.bytes += length;
        while (backlog.bytes - backlog.packets.getFirst().length() >= KEPT_BYTES) {
            backlog.bytes -= backlog.packets.removeFirst().length();
        }
    }

    Set<Integer> streams() {
        return byStream.keySet();
    }

    /** The fragments of the last {@code bytes} given to this stream, the latest first. */
    List<InFlightFragment> last(int stream, long bytes) {
        List<InFlightFragment> flights = new ArrayList<>();
        StreamBacklog backlog = byStream.get(stream);
        long rest = bytes;
        for (Iterator<Packet> latest =
                        backlog == null ? List.<Packet>of().iterator() : backlog.packets.descendingIterator();
                rest > 0 && latest.hasNext(); ) {
            Packet packet = latest.next();
            flights.add(packet.flight());
            rest -= packet.length();
        }
        return flights;
    }

    void forget(int stream) {
        byStream.remove(stream);
    }

    void clear() {
        byStream.clear();
    }
}
