package io.hawser.core.transport;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.remote.Answer;
import io.hawser.core.wire.StreamHeader;
import io.hawser.core.wire.StreamHeaderCodec;
import io.hawser.ptcp.PtcpPacket;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sends the answers of one session that carry a payload, one after the other. To a distant peer an answer leaves in parts over all
 * streams: a caller reads in order, and would otherwise wait until one stream has carried a whole answer.
 *
 * <p>Thread: the session's loop.
 */
final class OutgoingAnswers {
    /** At least as many as a peer may have in flight: the answers that a lost stream did not deliver are among its last ones. */
    static final int REMEMBERED = 256;

    static final int LEAST_PART_BYTES = 16 << 10;

    /** The last unsent bytes are cut into this many parts for each stream. */
    private static final int SHARES_PER_STREAM = 2;

    private static final int HEADER_BYTES = 256;

    private static final class Outgoing {
        private final StreamHeader.OfAnswer header;
        private final FragmentBuffer buffer;
        private final int length;
        private int sentBytes;

        private Outgoing(StreamHeader.OfAnswer header, FragmentBuffer buffer, int length) {
            this.header = header;
            this.buffer = buffer;
            this.length = length;
        }

        private int rest() {
            return length - sentBytes;
        }
    }

    private final Deque<Outgoing> waiting = new ArrayDeque<>();
    /** The latest calls of which each stream carried something. */
    private final Map<Integer, Deque<Long>> sentOn = new HashMap<>();

    /** Queues an answer with the buffer's first {@code length} payload bytes. Retains the buffer until they have left. */
    void add(long call, Answer answer, FragmentBuffer buffer, int length, int crc32c) {
        waiting.addLast(new Outgoing(new StreamHeader.OfAnswer(call, answer, crc32c), buffer.retain(), length));
    }

    /** Drops the unsent part of the answer. */
    void drop(long call) {
        waiting.removeIf(each -> {
            boolean same = each.header.call() == call;
            if (same) {
                each.buffer.release();
            }
            return same;
        });
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    void clear() {
        waiting.forEach(each -> each.buffer.release());
        waiting.clear();
    }

    /**
     * The next packet for this stream; null if nothing waits.
     *
     * @param maxBytes the packet size for the stream; {@link Integer#MAX_VALUE} if there is no reason to cut answers
     * @param streams how many streams there are
     */
    @Nullable
    PtcpPacket next(int stream, int maxBytes, int streams) {
        Outgoing first = waiting.peekFirst();
        if (first == null) {
            return null;
        }
        int length = partLength(first, maxBytes, streams);
        PtcpPacket packet =
                new PtcpPacket(header(first, length), first.buffer.retainedPayload(first.sentBytes, length));
        first.sentBytes += length;
        if (first.rest() == 0) {
            waiting.removeFirst();
            first.buffer.release();
        }
        remember(stream, first.header.call());
        return packet;
    }

    private int partLength(Outgoing first, int maxBytes, int streams) {
        if (maxBytes == Integer.MAX_VALUE) {
            return first.rest();
        }
        int piece = maxBytes;
        if (streams > 1 && waiting.size() < streams) {
            long unsent = waiting.stream().mapToLong(Outgoing::rest).sum();
            piece = (int) Math.min(piece, unsent / ((long) SHARES_PER_STREAM * streams));
        }
        int length = Math.max(LEAST_PART_BYTES, piece);
        return first.rest() - length < LEAST_PART_BYTES ? first.rest() : length;
    }

    private static ByteBuf header(Outgoing answer, int partLength) {
        ByteBuf header = Unpooled.buffer(HEADER_BYTES);
        StreamHeaderCodec.encode(
                header,
                partLength == answer.length
                        ? answer.header
                        : new StreamHeader.OfAnswerPart(answer.header, answer.sentBytes, answer.length));
        return header;
    }

    private void remember(int stream, long call) {
        Deque<Long> given = sentOn.computeIfAbsent(stream, number -> new ArrayDeque<>());
        Long last = given.peekLast();
        if (last == null || last != call) {
            given.addLast(call);
            if (given.size() > REMEMBERED) {
                given.removeFirst();
            }
        }
    }

    /** A stream is lost. Drops the answers that it carried last, and returns their calls. */
    List<Long> streamLost(int stream) {
        Deque<Long> given = sentOn.remove(stream);
        if (given == null) {
            return List.of();
        }
        given.forEach(this::drop);
        return List.copyOf(given);
    }
}
