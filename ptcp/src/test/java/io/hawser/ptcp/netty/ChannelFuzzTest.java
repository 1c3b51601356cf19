package io.hawser.ptcp.netty;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.ptcp.testkit.Cuts;
import io.hawser.ptcp.wire.ControlFrame;
import io.hawser.ptcp.wire.Forged;
import io.hawser.ptcp.wire.MalformedFrameException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * All bytes that a peer may send on a channel: whatever they are and however the network cuts them, the same is understood, a
 * refusal is a {@link MalformedFrameException}, memory stays within what was announced and allowed, and all of it is given back.
 */
class ChannelFuzzTest {
    /** Handshake frames are at most 4 KiB, and the header stands beside them. */
    private static final int FRAME_MEMORY_BYTES = 16 << 10;
    /** A preamble, a long header of 64 KiB with its checksum, a payload of 64 KiB as {@link Forged} makes them. */
    private static final int PACKET_MEMORY_BYTES = 256 << 10;

    @FuzzTest(maxDuration = "2m")
    void frames(byte[] data) {
        bothWays(
                data,
                FRAME_MEMORY_BYTES,
                (allocator, story) -> new FrameReader(allocator, frame -> story.add(text(frame))));
        bothWays(
                Forged.frames(data),
                FRAME_MEMORY_BYTES,
                (allocator, story) -> new FrameReader(allocator, frame -> story.add(text(frame))));
    }

    @FuzzTest(maxDuration = "2m")
    void packets(byte[] data) {
        bothWays(data, Integer.MAX_VALUE, ChannelFuzzTest::packetReader);
        bothWays(Forged.packets(data), PACKET_MEMORY_BYTES, ChannelFuzzTest::packetReader);
    }

    private static PacketReader packetReader(UnpooledByteBufAllocator allocator, List<String> story) {
        ReadMemory headers = new ReadMemory(PACKET_MEMORY_BYTES);
        return new PacketReader(
                allocator, new Sink(allocator, story), bytes -> headers.claim("the peer", bytes, () -> {}));
    }

    private static String text(ControlFrame frame) {
        return frame instanceof ControlFrame.Message message
                ? ByteBufUtil.hexDump(message.message())
                : frame.toString();
    }

    private static void bothWays(
            byte[] data, int mostMemory, BiFunction<UnpooledByteBufAllocator, List<String>, ReadTarget> target) {
        assertThat(follow(Cuts.of(data), mostMemory, target)).isEqualTo(follow(List.of(data), mostMemory, target));
    }

    /** What a channel's bytes mean. */
    private static List<String> follow(
            List<byte[]> pieces,
            int mostMemory,
            BiFunction<UnpooledByteBufAllocator, List<String>, ReadTarget> target) {
        UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true, true);
        List<String> story = new ArrayList<>();
        Events events = new Events(story);
        ExactReader reader = new ExactReader(events, false);
        reader.target(target.apply(allocator, story));
        EmbeddedChannel channel = new EmbeddedChannel(reader);
        for (byte[] piece : pieces) {
            channel.writeInbound(Unpooled.wrappedBuffer(piece));
            assertThat(allocator.metric().usedDirectMemory()).isLessThanOrEqualTo(mostMemory);
        }
        channel.finishAndReleaseAll();
        assertThat(events.failures).isLessThanOrEqualTo(1);
        assertThat(allocator.metric().usedDirectMemory()).isZero();
        assertThat(allocator.metric().usedHeapMemory()).isZero();
        return story;
    }

    private static final class Events implements ChannelEvents {
        private final List<String> story;
        private int failures;

        private Events(List<String> story) {
            this.story = story;
        }

        @Override
        public void onFailure(Channel channel, Throwable cause) {
            if (!(cause instanceof MalformedFrameException)) {
                throw new AssertionError("a peer's bytes broke the reader", cause);
            }
            failures++;
            // A foreign protocol's first bytes are shown as far as they came.
            story.add(String.valueOf(cause.getMessage()));
        }

        @Override
        public void onInactive(Channel channel) {
            story.add("closed");
        }
    }

    private record Sink(UnpooledByteBufAllocator allocator, List<String> story) implements PacketSink {
        @Override
        public ByteBuf memoryFor(ByteBuf header, int payloadLength) {
            return allocator.directBuffer(payloadLength, payloadLength);
        }

        @Override
        public void onDiscarded(int payloadLength) {
            story.add("discarded " + payloadLength);
        }

        @Override
        public void onPacket(ByteBuf header, ByteBuf payload) {
            story.add(ByteBufUtil.hexDump(header) + " " + ByteBufUtil.hexDump(payload));
        }

        @Override
        public void onEnd() {
            story.add("end");
        }
    }
}
