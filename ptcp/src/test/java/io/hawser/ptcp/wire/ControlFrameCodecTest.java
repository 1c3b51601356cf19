package io.hawser.ptcp.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ControlFrameCodecTest {
    private static final ByteBufAllocator ALLOCATOR = UnpooledByteBufAllocator.DEFAULT;

    private static Map<String, ControlFrame> examples() {
        Map<String, ControlFrame> frames = new LinkedHashMap<>();
        frames.put("HELLO", new ControlFrame.Hello(1, 3, 4, 5000, 20000, 0x0102, octets(5, 1)));
        frames.put("WELCOME", new ControlFrame.Welcome(1, 4, 5000, 20000, 0, -2, octets(32, 2), octets(3, 3)));
        frames.put("REFUSED", new ControlFrame.Refused(8, "not you: é"));
        frames.put("JOIN", new ControlFrame.Join(-2, 7, octets(16, 4), octets(32, 5)));
        frames.put("JOINED", new ControlFrame.Joined(7, octets(32, 6)));
        frames.put("READY", new ControlFrame.Ready());
        frames.put("PING", new ControlFrame.Ping(99, List.of(1, 70000)));
        frames.put("PONG", new ControlFrame.Pong(99));
        frames.put("LOST", new ControlFrame.Lost(7));
        frames.put("CLOSE", new ControlFrame.Close(0, "done"));
        frames.put("CLOSED", new ControlFrame.Closed());
        frames.put("STREAMS", new ControlFrame.Streams(12));
        return frames;
    }

    private static ByteString octets(int length, int seed) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (seed * 16 + i);
        }
        return ByteString.of(bytes);
    }

    @Test
    void framesComeBackAsTheyWere() throws MalformedFrameException {
        for (ControlFrame frame : examples().values()) {
            assertThat(decode(encode(frame))).isEqualTo(frame);
        }
    }

    /** The bytes of version 1 are fixed for ever. */
    @Test
    void bytesAreThoseOfVersion1() throws IOException {
        StringBuilder actual = new StringBuilder();
        examples().forEach((name, frame) -> actual.append(name)
                .append(' ')
                .append(ByteBufUtil.hexDump(encode(frame)))
                .append('\n'));
        assertThat(actual.toString()).isEqualTo(golden("control-frames.txt"));
    }

    @Test
    void messageIsAHeaderAndTheUsersBytes() throws MalformedFrameException {
        ByteBuf message = Unpooled.copiedBuffer("hello", StandardCharsets.US_ASCII);
        ByteBuf header = ControlFrameCodec.encodeMessageHeader(message, ALLOCATOR);
        ControlFrameCodec.Header decoded = ControlFrameCodec.decodeHeader(header, 5);
        header.release();
        assertThat(ControlFrameCodec.decode(decoded, message))
                .isInstanceOfSatisfying(ControlFrame.Message.class, frame -> assertThat(
                                frame.message().toString(StandardCharsets.US_ASCII))
                        .isEqualTo("hello"));
    }

    @Test
    void messagesBehindOneAnotherAreTheSameBytesAsEachByItself() {
        ByteBuf together = ALLOCATOR.directBuffer();
        ByteBuf alone = ALLOCATOR.directBuffer();
        for (String text : List.of("hello", "", "world")) {
            ByteBuf message = Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
            ByteBuf header = ControlFrameCodec.encodeMessageHeader(message, ALLOCATOR);
            alone.writeBytes(header).writeBytes(message.duplicate());
            header.release();

            ControlFrameCodec.appendMessage(together, message);

            assertThat(message.readableBytes()).isEqualTo(text.length());
        }
        assertThat(ByteBufUtil.hexDump(together)).isEqualTo(ByteBufUtil.hexDump(alone));
        together.release();
        alone.release();
    }

    @Test
    void eachFlippedBitIsDetected() {
        byte[] bytes = encode(new ControlFrame.Ping(99, List.of(1, 2)));
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            byte[] damaged = bytes.clone();
            damaged[bit / 8] ^= (byte) (1 << (bit % 8));
            assertThatThrownBy(() -> decode(damaged)).isInstanceOf(MalformedFrameException.class);
        }
    }

    @Test
    void aFrameOfAnotherVersionIsRefusedAsThat() {
        byte[] bytes = encode(new ControlFrame.Pong(99));
        bytes[4] = 2;
        assertThatThrownBy(() -> ControlFrameCodec.decodeHeader(Unpooled.wrappedBuffer(bytes), 50))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining("version 2 is not known");
    }

    @Test
    void frameBeyondTheLimitIsRefusedByItsHeader() {
        byte[] bytes = encode(new ControlFrame.Close(0, "x".repeat(100)));
        assertThatThrownBy(() -> ControlFrameCodec.decodeHeader(Unpooled.wrappedBuffer(bytes), 50))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining("at most 50 are allowed");
    }

    @Test
    void payloadThatIsNotWhatItsTypeSaysIsRefused() {
        Random random = new Random(5);
        for (int i = 0; i < 20_000; i++) {
            byte[] payload = new byte[random.nextInt(100)];
            random.nextBytes(payload);
            java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
            crc.update(payload);
            int type = random.nextInt(256);
            ControlFrameCodec.Header header = new ControlFrameCodec.Header(type, payload.length, (int) crc.getValue());
            try {
                ControlFrame frame = ControlFrameCodec.decode(header, Unpooled.wrappedBuffer(payload));
                assertThat(type).isBetween(1, 13);
                assertThat(frame).isNotNull();
            } catch (MalformedFrameException e) {
                assertThat(e.getMessage()).isNotEmpty();
            }
        }
    }

    @Test
    void sentenceThatIsTooLongIsCut() throws MalformedFrameException {
        ControlFrame decoded = decode(encode(new ControlFrame.Close(2, "é".repeat(5000))));
        assertThat(decoded).isInstanceOfSatisfying(ControlFrame.Close.class, close -> assertThat(close.sentence())
                .hasSize(512)
                .matches("é+"));
    }

    private static byte[] encode(ControlFrame frame) {
        ByteBuf encoded = ControlFrameCodec.encode(frame, ALLOCATOR);
        try {
            return ByteBufUtil.getBytes(encoded);
        } finally {
            encoded.release();
        }
    }

    private static ControlFrame decode(byte[] bytes) throws MalformedFrameException {
        ByteBuf in = Unpooled.wrappedBuffer(bytes);
        ControlFrameCodec.Header header = ControlFrameCodec.decodeHeader(in, FrameLimits.CONTROL_PAYLOAD_BYTES);
        return ControlFrameCodec.decode(header, in.skipBytes(ControlFrameCodec.HEADER_BYTES));
    }

    static String golden(String name) throws IOException {
        try (InputStream in = ControlFrameCodecTest.class.getResourceAsStream("/golden/v1/" + name)) {
            if (in == null) {
                throw new AssertionError("no golden file " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
