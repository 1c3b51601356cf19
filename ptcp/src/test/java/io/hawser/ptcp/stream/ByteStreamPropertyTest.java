package io.hawser.ptcp.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Splitter, unacked packets and merger together, over streams that delay, reorder, duplicate and die. */
class ByteStreamPropertyTest {
    private static final ByteBufAllocator ALLOCATOR = UnpooledByteBufAllocator.DEFAULT;
    private static final int PIECE_BYTES = 100;
    private static final long WINDOW_BYTES = 1_000;
    private static final int STREAMS = 3;

    private record InFlight(int stream, long position, ByteBuf bytes) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void whatIsWrittenIsReadWhateverTheStreamsDo(long seed) {
        for (int round = 0; round < 20; round++) {
            run(new Random(seed * 1000 + round));
        }
    }

    private static void run(Random random) {
        PacketSplitter splitter = new PacketSplitter(ALLOCATOR::heapBuffer, PIECE_BYTES, WINDOW_BYTES);
        UnackedPackets unacked = new UnackedPackets();
        PacketReorderer merger = new PacketReorderer(1_000);
        byte[] source = new byte[5_000 + random.nextInt(5_000)];
        random.nextBytes(source);
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        List<InFlight> flying = new ArrayList<>();
        int written = 0;
        long limit = StreamMessage.INITIAL_LIMIT;
        while (sink.size() < source.length) {
            switch (random.nextInt(6)) {
                case 0 ->
                    written += append(
                            splitter,
                            source,
                            written,
                            Math.min(source.length - written, random.nextInt(3 * PIECE_BYTES)));
                case 1, 2 -> send(splitter, unacked, flying, random);
                case 3 -> deliver(flying, merger, limit, random);
                case 4 -> {
                    for (ByteBuf next = merger.poll(); next != null; next = merger.poll()) {
                        byte[] bytes = new byte[next.readableBytes()];
                        next.readBytes(bytes).release();
                        sink.writeBytes(bytes);
                    }
                    unacked.onReceived(merger.nextPosition());
                    splitter.onReceived(merger.nextPosition(), limit);
                }
                default -> {
                    int stream = random.nextInt(STREAMS);
                    if (random.nextInt(4) == 0) {
                        drop(flying, stream, random);
                        unacked.onStreamLost(stream);
                    }
                }
            }
            assertThat(splitter.writtenPosition() - merger.nextPosition()).isLessThanOrEqualTo(2 * WINDOW_BYTES);
        }
        assertThat(sink.toByteArray()).isEqualTo(source);
        flying.forEach(packet -> packet.bytes().release());
        unacked.release();
        splitter.release();
        merger.release();
    }

    /** Writes as many bytes as the window allows; returns how many. */
    private static int append(PacketSplitter splitter, byte[] bytes, int offset, int length) {
        int done = 0;
        while (done < length && splitter.room() > 0) {
            PacketSplitter.Filling place = splitter.prepare(length - done);
            place.put(bytes, offset + done);
            done += place.length();
            splitter.publish(place);
        }
        return done;
    }

    private static void send(PacketSplitter splitter, UnackedPackets unacked, List<InFlight> flying, Random random) {
        int stream = random.nextInt(STREAMS);
        @Nullable StreamPiece piece = unacked.takeLost(stream);
        if (piece == null) {
            piece = splitter.next(1 + random.nextInt(PIECE_BYTES));
            if (piece == null) {
                return;
            }
            unacked.add(piece, stream);
        }
        flying.add(new InFlight(stream, piece.position(), piece.bytes().retainedDuplicate()));
    }

    private static void deliver(List<InFlight> flying, PacketReorderer merger, long limit, Random random) {
        if (!flying.isEmpty()) {
            InFlight packet = flying.remove(random.nextInt(flying.size()));
            assertThat(merger.offer(packet.position(), packet.bytes(), limit))
                    .isNotEqualTo(PacketReorderer.Verdict.REFUSED);
        }
    }

    /** Some of what is on a dead stream arrives all the same, since its reader had it already. */
    private static void drop(List<InFlight> flying, int stream, Random random) {
        flying.removeIf(packet -> {
            boolean gone = packet.stream() == stream && random.nextBoolean();
            if (gone) {
                packet.bytes().release();
            }
            return gone;
        });
    }
}
