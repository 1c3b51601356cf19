package io.hawser.ptcp.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.ptcp.wire.ControlFrame;
import io.hawser.ptcp.wire.ControlFrameCodec;
import io.hawser.ptcp.wire.FrameLimits;
import io.hawser.ptcp.wire.MalformedFrameException;
import io.hawser.ptcp.wire.PacketCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReadMemoryTest {
    private static final int LONGEST = FrameLimits.PACKET_HEADER_BYTES;

    private final ReadMemory memory = new ReadMemory(100);
    private final List<String> given = new ArrayList<>();
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true, true);

    private ReadMemory.Claim claim(String name, int bytes) {
        return memory.claim(name.substring(0, 1), bytes, () -> given.add(name));
    }

    @Test
    void claimsOfOnePeerWaitInTheirOrderAndThoseOfAnotherDoNot() {
        ReadMemory.Claim first = claim("a1", 60);
        ReadMemory.Claim second = claim("a2", 60);
        ReadMemory.Claim third = claim("a3", 10);
        ReadMemory.Claim other = claim("b1", 100);
        assertThat(List.of(first.isGiven(), second.isGiven(), third.isGiven(), other.isGiven()))
                .containsExactly(true, false, false, true);

        first.release();
        assertThat(given).containsExactly("a2", "a3");
        assertThat(second.isGiven() && third.isGiven()).isTrue();
        List.of(second, third, other).forEach(ReadMemory.Claim::release);
        assertThat(memory.peers()).isZero();
    }

    @Test
    void claimThatEndsWhileItWaitsLetsTheNextOneGo() {
        ReadMemory.Claim first = claim("a1", 60);
        ReadMemory.Claim second = claim("a2", 60);
        ReadMemory.Claim third = claim("a3", 10);
        second.release();
        assertThat(given).containsExactly("a3");
        first.release();
        third.release();
        assertThat(given).doesNotContain("a2");
        assertThat(memory.peers()).isZero();
    }

    @Test
    void claimThatCouldNeverBeGivenIsADefect() {
        assertThatThrownBy(() -> claim("a1", 101)).isInstanceOf(IllegalArgumentException.class);
    }

    /** Fills what the reader wants with the bytes, as a channel does; returns what it wants then. */
    private static @Nullable ByteBuf fill(ReadTarget reader, ByteBuf bytes) throws MalformedFrameException {
        ByteBuf wanted = Objects.requireNonNull(reader.next());
        wanted.writeBytes(bytes, Math.min(bytes.readableBytes(), wanted.writableBytes()));
        if (!wanted.isWritable()) {
            reader.onFull(wanted);
        }
        return reader.next();
    }

    private ByteBuf startOfLongHeader() {
        return PacketCodec.encode(Unpooled.wrappedBuffer(new byte[LONGEST]), 0, allocator);
    }

    private PacketReader packets(ReadMemory headers, String peer, List<Integer> lengths) {
        PacketSink sink = new PacketSink() {
            @Override
            public ByteBuf memoryFor(ByteBuf header, int payloadLength) {
                return Unpooled.EMPTY_BUFFER;
            }

            @Override
            public void onPacket(ByteBuf header, ByteBuf payload) {
                lengths.add(header.readableBytes());
            }

            @Override
            public void onDiscarded(int payloadLength) {}

            @Override
            public void onEnd() {}
        };
        return new PacketReader(allocator, sink, bytes -> headers.claim(peer, bytes, () -> given.add(peer)));
    }

    @Test
    void headersThatAreHalfHereTakeNoMoreThanOnePeerMayHave() throws Exception {
        ReadMemory headers = new ReadMemory(LONGEST + PacketCodec.REST_CRC_BYTES);
        List<Integer> lengths = new ArrayList<>();
        PacketReader half = packets(headers, "a", lengths);
        PacketReader next = packets(headers, "a", lengths);
        PacketReader other = packets(headers, "b", lengths);
        ByteBuf bytes = startOfLongHeader();

        assertThat(fill(half, bytes.duplicate())).isNotNull();
        ByteBuf rest = bytes.duplicate();
        assertThat(fill(next, rest)).isNull();
        assertThat(fill(other, bytes.duplicate())).isNotNull();
        assertThat(allocator.metric().usedDirectMemory()).isLessThan(4L * LONGEST);

        half.release();
        assertThat(given).containsExactly("a");
        fill(next, rest);
        assertThat(lengths).containsExactly(LONGEST);
        List.of(next, other).forEach(PacketReader::release);
        bytes.release();
        assertThat(headers.peers()).isZero();
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    @Test
    void longFramesThatAreHalfHereTakeNoMoreThanOnePeerMayHave() throws Exception {
        ReadMemory longFrames = new ReadMemory(FrameLimits.CONTROL_PAYLOAD_BYTES);
        List<Integer> lengths = new ArrayList<>();
        FrameReader half = frames(longFrames, lengths);
        FrameReader next = frames(longFrames, lengths);
        ByteBuf message = Unpooled.wrappedBuffer(new byte[FrameLimits.CONTROL_PAYLOAD_BYTES]);
        ByteBuf bytes = Unpooled.wrappedBuffer(ControlFrameCodec.encodeMessageHeader(message, allocator), message);

        assertThat(fill(half, bytes.duplicate())).isNotNull();
        ByteBuf rest = bytes.duplicate();
        assertThat(fill(next, rest)).isNull();

        half.release();
        assertThat(given).containsExactly("frame");
        fill(next, rest);
        assertThat(lengths).containsExactly(FrameLimits.CONTROL_PAYLOAD_BYTES);
        next.release();
        bytes.release();
        assertThat(longFrames.peers()).isZero();
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    private FrameReader frames(ReadMemory longFrames, List<Integer> lengths) {
        FrameReader reader = new FrameReader(
                allocator,
                frame -> lengths.add(((ControlFrame.Message) frame).message().readableBytes()));
        reader.allowLongFrames(bytes -> longFrames.claim("a", bytes, () -> given.add("frame")));
        return reader;
    }

    @Test
    void payloadThatIsNotWantedTakesNoMemoryAndTheNextPacketIsRead() throws Exception {
        List<String> story = new ArrayList<>();
        PacketSink sink = new PacketSink() {
            @Override
            public ByteBuf memoryFor(ByteBuf header, int payloadLength) {
                return payloadLength > 4 ? DISCARD : Unpooled.buffer(payloadLength, payloadLength);
            }

            @Override
            public void onDiscarded(int payloadLength) {
                story.add("dropped " + payloadLength);
            }

            @Override
            public void onPacket(ByteBuf header, ByteBuf payload) {
                story.add("read " + payload.readableBytes());
            }

            @Override
            public void onEnd() {}
        };
        ReadMemory headers = new ReadMemory(100);
        PacketReader reader =
                new PacketReader(allocator, sink, bytes -> headers.claim("a", bytes, () -> given.add("a")));
        ByteBuf begin =
                PacketCodec.encode(Unpooled.wrappedBuffer(new byte[8]), FrameLimits.PACKET_PAYLOAD_BYTES, allocator);
        ByteBuf wanted = Objects.requireNonNull(fill(reader, begin));
        assertThat(allocator.metric().usedDirectMemory()).isLessThan(1 << 20);

        int left = FrameLimits.PACKET_PAYLOAD_BYTES;
        while (left > 0) {
            int length = wanted.writableBytes();
            wanted.writeZero(length);
            left -= length;
            reader.onFull(wanted);
            wanted = Objects.requireNonNull(reader.next());
        }
        ByteBuf next = PacketCodec.encode(Unpooled.wrappedBuffer(new byte[8]), 4, allocator);
        ByteBuf payload = Objects.requireNonNull(fill(reader, next));
        payload.writeInt(1);
        reader.onFull(payload);

        assertThat(story).containsExactly("dropped " + FrameLimits.PACKET_PAYLOAD_BYTES, "read 4");
        List.of(begin, next).forEach(ByteBuf::release);
        reader.release();
    }
}
