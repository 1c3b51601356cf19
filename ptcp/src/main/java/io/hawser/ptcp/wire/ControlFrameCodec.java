package io.hawser.ptcp.wire;

import io.hawser.ptcp.wire.ControlFrame.Close;
import io.hawser.ptcp.wire.ControlFrame.Closed;
import io.hawser.ptcp.wire.ControlFrame.Hello;
import io.hawser.ptcp.wire.ControlFrame.Join;
import io.hawser.ptcp.wire.ControlFrame.Joined;
import io.hawser.ptcp.wire.ControlFrame.Lost;
import io.hawser.ptcp.wire.ControlFrame.Message;
import io.hawser.ptcp.wire.ControlFrame.Ping;
import io.hawser.ptcp.wire.ControlFrame.Pong;
import io.hawser.ptcp.wire.ControlFrame.Ready;
import io.hawser.ptcp.wire.ControlFrame.Refused;
import io.hawser.ptcp.wire.ControlFrame.Streams;
import io.hawser.ptcp.wire.ControlFrame.Welcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Encodes and decodes control frames. The package description has the layout. */
public final class ControlFrameCodec {
    /** Length of a frame's header. */
    public static final int HEADER_BYTES = 20;

    /** The length of the magic. */
    public static final int MAGIC_BYTES = 4;

    /** Length of a join secret and of a proof of it. */
    public static final int PROOF_BYTES = 32;

    /** Length of the random part of a JOIN. */
    public static final int RANDOM_BYTES = 16;

    private static final int MAGIC = 0x48575352; // "HWSR"
    private static final int LAYOUT_VERSION = 1;
    private static final int LENGTH_OFFSET = 8;
    private static final int PAYLOAD_CRC_OFFSET = 12;
    private static final int HEADER_CRC_OFFSET = 16;

    /** A checked header. */
    public record Header(int type, int payloadLength, int payloadCrc) {}

    private ControlFrameCodec() {}

    /** Whether the first {@value #MAGIC_BYTES} bytes of {@code buffer} are the magic of a control frame. */
    public static boolean hasMagic(ByteBuf buffer) {
        return buffer.getInt(buffer.readerIndex()) == MAGIC;
    }

    /**
     * @param header {@value #HEADER_BYTES} readable bytes, which are left unread
     * @param payloadLimit the longest payload that is accepted
     * @throws MalformedFrameException if it is not a header of this version within the limit
     */
    public static Header decodeHeader(ByteBuf header, int payloadLimit) throws MalformedFrameException {
        int start = header.readerIndex();
        if (header.getInt(start) != MAGIC) {
            throw new MalformedFrameException("the bytes are not PTCP");
        }
        int version = header.getUnsignedByte(start + 4);
        if (version != LAYOUT_VERSION) {
            throw new MalformedFrameException("frame layout version " + version + " is not known");
        }
        if (header.getInt(start + HEADER_CRC_OFFSET) != Checksums.crc32c(header, start, HEADER_CRC_OFFSET)) {
            throw new MalformedFrameException("the checksum of a frame's header is wrong");
        }
        long length = header.getUnsignedInt(start + LENGTH_OFFSET);
        if (length > payloadLimit) {
            throw new MalformedFrameException(
                    "a frame of " + length + " bytes, at most " + payloadLimit + " are allowed");
        }
        return new Header(header.getUnsignedByte(start + 5), (int) length, header.getInt(start + PAYLOAD_CRC_OFFSET));
    }

    /**
     * Reads a payload whose header was {@code header}. A {@link Message} shares {@code payload}'s memory.
     *
     * @throws MalformedFrameException if the payload is not what its type says
     */
    public static ControlFrame decode(Header header, ByteBuf payload) throws MalformedFrameException {
        if (header.payloadCrc() != Checksums.crc32c(payload, payload.readerIndex(), payload.readableBytes())) {
            throw new MalformedFrameException("the checksum of a frame's payload is wrong");
        }
        FrameType type = FrameType.of(header.type());
        if (type == FrameType.MESSAGE) {
            return new Message(payload);
        }
        try {
            ControlFrame frame = decode(type, payload);
            if (payload.isReadable()) {
                throw new MalformedFrameException(
                        "a " + type + " frame has " + payload.readableBytes() + " bytes too many");
            }
            return frame;
        } catch (IndexOutOfBoundsException e) {
            throw new MalformedFrameException("a " + type + " frame ends too early");
        }
    }

    private static ControlFrame decode(FrameType type, ByteBuf in) throws MalformedFrameException {
        return switch (type) {
            case HELLO -> decodeHello(in);
            case WELCOME -> decodeWelcome(in);
            case REFUSED -> new Refused(in.readUnsignedShort(), sentence(in));
            case JOIN -> new Join(in.readLong(), in.readInt(), octets(in, RANDOM_BYTES), octets(in, PROOF_BYTES));
            case JOINED -> new Joined(in.readInt(), octets(in, PROOF_BYTES));
            case READY -> new Ready();
            case PING -> new Ping(in.readLong(), streamNumbers(in));
            case PONG -> new Pong(in.readLong());
            case LOST -> new Lost(in.readInt());
            case CLOSE -> new Close(in.readUnsignedShort(), sentence(in));
            case CLOSED -> new Closed();
            case STREAMS -> new Streams(in.readUnsignedByte());
            case MESSAGE -> throw new AssertionError("has no fields");
        };
    }

    private static Hello decodeHello(ByteBuf in) throws MalformedFrameException {
        int lowest = in.readUnsignedByte();
        int highest = in.readUnsignedByte();
        int streams = in.readUnsignedByte();
        in.skipBytes(1);
        return new Hello(
                lowest,
                highest,
                streams,
                in.readUnsignedInt(),
                in.readUnsignedInt(),
                in.readLong(),
                limited(in, FrameLimits.GREETING_BYTES));
    }

    private static Welcome decodeWelcome(ByteBuf in) throws MalformedFrameException {
        int version = in.readUnsignedByte();
        int streams = in.readUnsignedByte();
        in.skipBytes(2);
        return new Welcome(
                version,
                streams,
                in.readUnsignedInt(),
                in.readUnsignedInt(),
                in.readLong(),
                in.readLong(),
                octets(in, PROOF_BYTES),
                limited(in, FrameLimits.GREETING_BYTES));
    }

    private static List<Integer> streamNumbers(ByteBuf in) {
        int count = in.readUnsignedByte();
        List<Integer> streams = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            streams.add(in.readInt());
        }
        return streams;
    }

    private static String sentence(ByteBuf in) throws MalformedFrameException {
        return new String(limited(in, FrameLimits.SENTENCE_BYTES).toArray(), StandardCharsets.UTF_8);
    }

    private static ByteString limited(ByteBuf in, int limit) throws MalformedFrameException {
        int length = in.readUnsignedShort();
        if (length > limit) {
            throw new MalformedFrameException("a field of " + length + " bytes, at most " + limit + " are allowed");
        }
        return octets(in, length);
    }

    private static ByteString octets(ByteBuf in, int length) {
        byte[] bytes = new byte[length];
        in.readBytes(bytes);
        return ByteString.of(bytes);
    }

    /** The bytes of a frame other than a {@link Message}. The caller owns the buffer. */
    public static ByteBuf encode(ControlFrame frame, ByteBufAllocator allocator) {
        ByteBuf out = allocator.directBuffer(256);
        out.writerIndex(HEADER_BYTES);
        FrameType type = encodePayload(frame, out);
        int length = out.writerIndex() - HEADER_BYTES;
        writeHeader(out, 0, type, length, Checksums.crc32c(out, HEADER_BYTES, length));
        return out;
    }

    /**
     * The header of the {@link Message} frame with this payload, whose bytes follow it. The caller owns the buffer.
     *
     * @param message not longer than {@link FrameLimits#CONTROL_PAYLOAD_BYTES}
     */
    public static ByteBuf encodeMessageHeader(ByteBuf message, ByteBufAllocator allocator) {
        ByteBuf out = allocator.directBuffer(HEADER_BYTES, HEADER_BYTES);
        writeMessageHeader(out, message);
        return out;
    }

    /** Appends the {@link Message} frame with this payload to {@code out}, which has room for it. Leaves the message unread. */
    public static void appendMessage(ByteBuf out, ByteBuf message) {
        writeMessageHeader(out, message);
        out.writeBytes(message, message.readerIndex(), message.readableBytes());
    }

    private static void writeMessageHeader(ByteBuf out, ByteBuf message) {
        int length = message.readableBytes();
        if (length > FrameLimits.CONTROL_PAYLOAD_BYTES) {
            throw new IllegalArgumentException("a control message of " + length + " bytes, at most "
                    + FrameLimits.CONTROL_PAYLOAD_BYTES + " are allowed");
        }
        int at = out.writerIndex();
        out.ensureWritable(HEADER_BYTES).writerIndex(at + HEADER_BYTES);
        writeHeader(out, at, FrameType.MESSAGE, length, Checksums.crc32c(message, message.readerIndex(), length));
    }

    private static void writeHeader(ByteBuf out, int at, FrameType type, int payloadLength, int payloadCrc) {
        out.setInt(at, MAGIC);
        out.setByte(at + 4, LAYOUT_VERSION);
        out.setByte(at + 5, type.number());
        out.setShort(at + 6, 0);
        out.setInt(at + LENGTH_OFFSET, payloadLength);
        out.setInt(at + PAYLOAD_CRC_OFFSET, payloadCrc);
        out.setInt(at + HEADER_CRC_OFFSET, Checksums.crc32c(out, at, HEADER_CRC_OFFSET));
    }

    private static FrameType encodePayload(ControlFrame frame, ByteBuf out) {
        if (frame instanceof Hello hello) {
            encodeHello(hello, out);
            return FrameType.HELLO;
        } else if (frame instanceof Welcome welcome) {
            encodeWelcome(welcome, out);
            return FrameType.WELCOME;
        } else if (frame instanceof Refused refused) {
            writeSentence(out.writeShort(refused.code()), refused.sentence());
            return FrameType.REFUSED;
        } else if (frame instanceof Join join) {
            out.writeLong(join.sessionId()).writeInt(join.stream());
            out.writeBytes(join.random().toArray()).writeBytes(join.proof().toArray());
            return FrameType.JOIN;
        } else if (frame instanceof Joined joined) {
            out.writeInt(joined.stream()).writeBytes(joined.proof().toArray());
            return FrameType.JOINED;
        } else {
            return encodeSessionPayload(frame, out);
        }
    }

    private static FrameType encodeSessionPayload(ControlFrame frame, ByteBuf out) {
        if (frame instanceof Ready) {
            return FrameType.READY;
        } else if (frame instanceof Ping ping) {
            out.writeLong(ping.token()).writeByte(ping.pausedStreams().size());
            ping.pausedStreams().forEach(out::writeInt);
            return FrameType.PING;
        } else if (frame instanceof Pong pong) {
            out.writeLong(pong.token());
            return FrameType.PONG;
        } else if (frame instanceof Lost lost) {
            out.writeInt(lost.stream());
            return FrameType.LOST;
        } else if (frame instanceof Close close) {
            writeSentence(out.writeShort(close.code()), close.sentence());
            return FrameType.CLOSE;
        } else if (frame instanceof Closed) {
            return FrameType.CLOSED;
        } else if (frame instanceof Streams streams) {
            out.writeByte(streams.count());
            return FrameType.STREAMS;
        }
        throw new IllegalArgumentException("a message is encoded by its header");
    }

    private static void encodeHello(Hello hello, ByteBuf out) {
        out.writeByte(hello.lowestVersion()).writeByte(hello.highestVersion());
        out.writeByte(hello.streams()).writeByte(0);
        out.writeInt((int) hello.heartbeatIntervalMillis()).writeInt((int) hello.heartbeatTimeoutMillis());
        out.writeLong(hello.features());
        writeGreeting(out, hello.greeting());
    }

    private static void encodeWelcome(Welcome welcome, ByteBuf out) {
        out.writeByte(welcome.version()).writeByte(welcome.streams()).writeShort(0);
        out.writeInt((int) welcome.heartbeatIntervalMillis()).writeInt((int) welcome.heartbeatTimeoutMillis());
        out.writeLong(welcome.features()).writeLong(welcome.sessionId());
        out.writeBytes(welcome.joinSecret().toArray());
        writeGreeting(out, welcome.greeting());
    }

    private static void writeGreeting(ByteBuf out, ByteString greeting) {
        if (greeting.length() > FrameLimits.GREETING_BYTES) {
            throw new IllegalArgumentException("a greeting of " + greeting.length() + " bytes, at most "
                    + FrameLimits.GREETING_BYTES + " are allowed");
        }
        out.writeShort(greeting.length()).writeBytes(greeting.toArray());
    }

    /** Cuts a sentence that is too long. */
    private static void writeSentence(ByteBuf out, String sentence) {
        String text = sentence;
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        while (bytes.length > FrameLimits.SENTENCE_BYTES) {
            text = text.substring(0, Math.min(text.length() - 1, FrameLimits.SENTENCE_BYTES));
            bytes = text.getBytes(StandardCharsets.UTF_8);
        }
        out.writeShort(bytes.length).writeBytes(bytes);
    }
}
