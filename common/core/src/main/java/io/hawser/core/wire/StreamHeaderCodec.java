package io.hawser.core.wire;

import io.hawser.core.hop.HopLimits;
import io.hawser.core.hop.PacketHeader;
import io.hawser.core.hop.SmallItem;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/** Encodes and decodes packet headers. The package description has the layout. */
public final class StreamHeaderCodec {
    private static final int FRAGMENT = 1;
    private static final int SMALL = 2;
    private static final int ANSWER = 3;
    private static final int ANSWER_PART = 4;

    private StreamHeaderCodec() {}

    public static void encode(ByteBuf out, StreamHeader header) {
        if (header instanceof StreamHeader.OfFragment fragment) {
            encodeFragment(out, fragment.hop(), fragment.header());
        } else if (header instanceof StreamHeader.OfSmall small) {
            out.writeByte(SMALL)
                    .writeShort(small.hop())
                    .writeShort(small.items().size());
            small.items().forEach(item -> encodeItem(out, item));
        } else if (header instanceof StreamHeader.OfAnswer answer) {
            out.writeByte(ANSWER).writeShort(answer.hop());
            out.writeLong(answer.call()).writeInt(answer.crc32c());
            CallCodec.answer(out, answer.answer());
        } else if (header instanceof StreamHeader.OfAnswerPart part) {
            out.writeByte(ANSWER_PART).writeShort(part.hop());
            out.writeLong(part.answer().call()).writeInt(part.answer().crc32c());
            out.writeInt(part.offset()).writeInt(part.wholeLength());
            CallCodec.answer(out, part.answer().answer());
        }
    }

    private static void encodeFragment(ByteBuf out, int hop, PacketHeader header) {
        out.writeByte(FRAGMENT).writeShort(hop);
        WireWriter.key(out, header.key());
        out.writeLong(header.index()).writeInt(header.offset()).writeInt(header.length());
        out.writeInt(header.fragmentLength()).writeInt(header.crc32c()).writeBytes(header.leaf());
        out.writeByte(header.resent() ? 1 : 0);
    }

    private static void encodeItem(ByteBuf out, SmallItem item) {
        WireWriter.manifest(out, item.manifest());
        WireWriter.commit(out, item.commit());
        out.writeInt(item.crc32c()).writeBytes(item.leaf()).writeByte(item.resumed() ? 1 : 0);
    }

    /** Reads one header, which must use up {@code in} and match the payload's length in bytes. */
    public static StreamHeader decode(ByteBuf in, int payloadLength) throws MalformedMessageException {
        try {
            int kind = in.readUnsignedByte();
            int hop = in.readUnsignedShort();
            StreamHeader header =
                    switch (kind) {
                        case FRAGMENT -> new StreamHeader.OfFragment(hop, decodeFragment(in, payloadLength));
                        case SMALL -> new StreamHeader.OfSmall(hop, decodeItems(in, payloadLength));
                        case ANSWER -> decodeAnswer(in);
                        case ANSWER_PART -> decodeAnswerPart(in, payloadLength);
                        default -> throw new MalformedMessageException("a packet of unknown kind " + kind);
                    };
            if (in.isReadable()) {
                throw new MalformedMessageException(in.readableBytes() + " bytes after a packet's header");
            }
            return header;
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new MalformedMessageException("a packet's header is malformed: " + e.getMessage(), e);
        }
    }

    private static PacketHeader decodeFragment(ByteBuf in, int payloadLength) throws MalformedMessageException {
        PacketHeader header = new PacketHeader(
                WireReader.key(in),
                in.readLong(),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                WireReader.bytes32(in),
                in.readUnsignedByte() == 1);
        boolean fits = header.index() >= 0
                && header.index() <= WireLimits.MAX_INDEX
                && header.offset() >= 0
                && header.length() >= 1
                && header.length() == payloadLength
                && header.offset() <= (long) header.fragmentLength() - header.length();
        if (!fits) {
            throw new MalformedMessageException("a packet of " + header.length() + " bytes at " + header.offset()
                    + " of fragment " + header.index() + " of " + header.fragmentLength() + " bytes");
        }
        return header;
    }

    private static StreamHeader.OfAnswer decodeAnswer(ByteBuf in) throws MalformedMessageException {
        long call = in.readLong();
        int crc32c = in.readInt();
        return new StreamHeader.OfAnswer(call, CallCodec.readAnswer(in), crc32c);
    }

    private static StreamHeader.OfAnswerPart decodeAnswerPart(ByteBuf in, int payloadLength)
            throws MalformedMessageException {
        long call = in.readLong();
        int crc32c = in.readInt();
        int offset = in.readInt();
        int wholeLength = in.readInt();
        if (payloadLength < 1 || offset < 0 || offset > (long) wholeLength - payloadLength) {
            throw new MalformedMessageException(
                    "a part of " + payloadLength + " bytes at " + offset + " of an answer of " + wholeLength);
        }
        StreamHeader.OfAnswer answer = new StreamHeader.OfAnswer(call, CallCodec.readAnswer(in), crc32c);
        return new StreamHeader.OfAnswerPart(answer, offset, wholeLength);
    }

    private static List<SmallItem> decodeItems(ByteBuf in, int payloadLength) throws MalformedMessageException {
        int count = WireReader.count(in.readUnsignedShort(), HopLimits.MAX_SMALL_ITEMS, "small transfers");
        List<SmallItem> items = new ArrayList<>(count);
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            SmallItem item = new SmallItem(
                    WireReader.manifest(in),
                    WireReader.commit(in),
                    in.readInt(),
                    WireReader.bytes32(in),
                    in.readUnsignedByte() == 1);
            if (item.commit().fragmentCount() > 1) {
                throw new MalformedMessageException("a small transfer of more than one fragment");
            }
            bytes += item.length();
            items.add(item);
        }
        if (bytes != payloadLength) {
            throw new MalformedMessageException(
                    "small transfers of " + bytes + " bytes in a packet of " + payloadLength);
        }
        return items;
    }
}
