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
final class SocketBacklog {
    /** More than a socket may hold unsent on a long link. */
    static final int KEPT_BYTES = 1 << 20;

    private record Packet(InFlightFragment flight, int length) {}

    private static final class Given {
        final ArrayDeque<Packet> packets = new ArrayDeque<>();
        long bytes;
    }

    private final Map<Integer, Given> given = new HashMap<>();

    void add(int stream, InFlightFragment flight, int length) {
        Given to = given.computeIfAbsent(stream, first -> new Given());
        to.packets.addLast(new Packet(flight, length));
        to.bytes += length;
        while (to.bytes - to.packets.getFirst().length() >= KEPT_BYTES) {
            to.bytes -= to.packets.removeFirst().length();
        }
    }

    Set<Integer> streams() {
        return given.keySet();
    }

    /** The fragments of the last {@code bytes} given to this stream, the latest first. */
    List<InFlightFragment> last(int stream, long bytes) {
        List<InFlightFragment> flights = new ArrayList<>();
        Given to = given.get(stream);
        long rest = bytes;
        for (Iterator<Packet> latest = to == null ? List.<Packet>of().iterator() : to.packets.descendingIterator();
                rest > 0 && latest.hasNext(); ) {
            Packet packet = latest.next();
            flights.add(packet.flight());
            rest -= packet.length();
        }
        return flights;
    }

    void forget(int stream) {
        given.remove(stream);
    }

    void clear() {
        given.clear();
    }
}
