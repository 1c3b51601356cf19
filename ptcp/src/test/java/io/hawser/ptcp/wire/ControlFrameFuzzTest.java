package io.hawser.ptcp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.zip.CRC32C;

/** A control frame's payload from a peer: what is accepted is written again as it was understood. */
class ControlFrameFuzzTest {
    /** The first byte is the frame's type. */
    @FuzzTest(maxDuration = "2m")
    void payload(byte[] data) throws MalformedFrameException {
        if (data.length == 0) {
            return;
        }
        CRC32C crc = new CRC32C();
        crc.update(data, 1, data.length - 1);
        ControlFrameCodec.Header header =
                new ControlFrameCodec.Header(data[0] & 0xFF, data.length - 1, (int) crc.getValue());
        ControlFrame frame;
        try {
            frame = ControlFrameCodec.decode(header, Unpooled.wrappedBuffer(data, 1, data.length - 1));
        } catch (MalformedFrameException e) {
            assertThat(e.getMessage()).doesNotContain("Exception");
            return;
        }
        if (!(frame instanceof ControlFrame.Message)) {
            assertThat(again(frame)).isEqualTo(frame);
        }
    }

    private static ControlFrame again(ControlFrame frame) throws MalformedFrameException {
        ByteBuf encoded = ControlFrameCodec.encode(frame, UnpooledByteBufAllocator.DEFAULT);
        ByteBuf in = Unpooled.wrappedBuffer(ByteBufUtil.getBytes(encoded));
        encoded.release();
        ControlFrameCodec.Header header = ControlFrameCodec.decodeHeader(in, FrameLimits.CONTROL_PAYLOAD_BYTES);
        return ControlFrameCodec.decode(header, in.skipBytes(ControlFrameCodec.HEADER_BYTES));
    }
}
