package io.hawser.core.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.core.hop.SmallItem;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

/**
 * The bytes of the hop protocol from a peer: they are malformed, or they are understood, and then what a relay would write is
 * understood in the same way by the next node.
 */
class WireFuzzTest {
    @FuzzTest(maxDuration = "2m")
    void controlMessage(byte[] data) throws MalformedMessageException {
        SessionMessage message;
        try {
            message = SessionCodec.decode(Unpooled.wrappedBuffer(data));
        } catch (MalformedMessageException e) {
            assertThat(e).hasMessageNotContaining("Exception");
            return;
        }
        ByteBuf out = Unpooled.buffer();
        SessionCodec.encode(out, message);
        assertThat(SessionCodec.decode(out.duplicate())).isEqualTo(message);
    }

    /** The first two bytes are the payload's length. */
    @FuzzTest(maxDuration = "2m")
    void packetHeader(byte[] data) throws MalformedMessageException {
        if (data.length < 2) {
            return;
        }
        ByteBuf in = Unpooled.wrappedBuffer(data);
        int payloadLength = in.readUnsignedShort();
        StreamHeader header;
        try {
            header = StreamHeaderCodec.decode(in, payloadLength);
        } catch (MalformedMessageException e) {
            assertThat(e).hasMessageNotContaining("Exception");
            return;
        }
        check(header, payloadLength);
        ByteBuf out = Unpooled.buffer();
        StreamHeaderCodec.encode(out, header);
        ByteBuf again = Unpooled.buffer();
        StreamHeaderCodec.encode(again, StreamHeaderCodec.decode(out.duplicate(), payloadLength));
        assertThat(ByteBufUtil.hexDump(again)).isEqualTo(ByteBufUtil.hexDump(out));
    }

    /** What is used as a place in memory without another look. */
    private static void check(StreamHeader header, int payloadLength) {
        if (header instanceof StreamHeader.OfFragment of) {
            assertThat(of.header().length()).isEqualTo(payloadLength);
            assertThat(of.header().offset()).isNotNegative();
            assertThat((long) of.header().offset() + payloadLength)
                    .isLessThanOrEqualTo(of.header().fragmentLength());
        } else if (header instanceof StreamHeader.OfSmall of) {
            for (SmallItem item : of.items()) {
                assertThat(item.length()).isBetween(0, payloadLength);
                assertThat(item.commit().sizeBytes()).isEqualTo(item.length());
                assertThat(item.commit().fragmentCount()).isEqualTo(item.length() == 0 ? 0 : 1);
            }
        }
    }

    @FuzzTest(maxDuration = "2m")
    void greeting(byte[] data) {
        try {
            Greeting greeting = Greeting.decode(data);
            assertThat(greeting.encode()).isEqualTo(data);
        } catch (MalformedMessageException e) {
            assertThat(e).hasMessageNotContaining("Exception");
        }
    }
}
