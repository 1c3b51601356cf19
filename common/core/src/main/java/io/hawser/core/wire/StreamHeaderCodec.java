package io.hawser.core.wire;

import io.hawser.core.codec.FieldReader;
import io.hawser.core.codec.FieldWriter;
import io.hawser.core.hop.HopSenderLimits;
import io.hawser.core.hop.PacketHeader;
import io.hawser.core.hop.SmallItem;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferKey;
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

    public static void encode(ByteBuf buffer, StreamHeader header) {
        FieldWriter out = new FieldWriter(buffer);
        if (header instanceof StreamHeader.OfFragment fragment) {
            encodeFragment(out, fragment.hop(), fragment.header());
        } else if (header instanceof StreamHeader.OfSmall small) {
            out.u8(SMALL).u16(small.hop()).count(small.items().size());
            small.items().forEach(item -> encodeItem(out, item));
        } else if (header instanceof StreamHeader.OfAnswer answer) {
            out.u8(ANSWER).u16(answer.hop()).i64(answer.call()).i32(answer.crc32c());
            CallCodec.answer(out, answer.answer());
        } else if (header instanceof StreamHeader.OfAnswerPart part) {
            out.u8(ANSWER_PART).u16(part.hop());
            out.i64(part.answer().call()).i32(part.answer().crc32c());
            out.i32(part.offset()).i32(part.wholeLength());
            CallCodec.answer(out, part.answer().answer());
        }
    }

    private static void encodeFragment(FieldWriter out, int hop, PacketHeader header) {
        out.u8(FRAGMENT).u16(hop).key(header.key());
        out.i64(header.index()).i32(header.offset()).i32(header.length());
        out.i32(header.fragmentLength()).i32(header.crc32c()).raw(header.leaf()).flag(header.resent());
    }

    private static void encodeItem(FieldWriter out, SmallItem item) {
        out.key(item.manifest().key()).manifest(item.manifest()).commit(item.commit());
        out.i32(item.crc32c()).raw(item.leaf()).flag(item.resumed());
    }

    /** Reads one header, which must use up {@code buffer} and match the payload's length in bytes. */
    public static StreamHeader decode(ByteBuf buffer, int payloadLength) throws MalformedMessageException {
        try {
            FieldReader in = new FieldReader(buffer);
            int kind = in.u8();
            int hop = in.u16();
            StreamHeader header =
                    switch (kind) {
                        case FRAGMENT -> new StreamHeader.OfFragment(hop, decodeFragment(in, payloadLength));
                        case SMALL -> new StreamHeader.OfSmall(hop, decodeItems(in, payloadLength));
                        case ANSWER -> decodeAnswer(in);
                        case ANSWER_PART -> decodeAnswerPart(in, payloadLength);
                        default -> throw new MalformedMessageException("a packet of unknown kind " + kind);
                    };
            if (buffer.isReadable()) {
                throw new MalformedMessageException(buffer.readableBytes() + " bytes after a packet's header");
            }
            return header;
        } catch (IllegalArgumentException e) {
            throw new MalformedMessageException("a packet's header is malformed: " + e.getMessage(), e);
        }
    }

    private static PacketHeader decodeFragment(FieldReader in, int payloadLength) throws MalformedMessageException {
        PacketHeader header = new PacketHeader(
                in.key(),
                in.i64(),
                in.i32(),
                in.i32(),
                in.i32(),
                in.i32(),
                in.raw(TransferDigest.LENGTH_BYTES),
                in.flag());
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

    private static StreamHeader.OfAnswer decodeAnswer(FieldReader in) throws MalformedMessageException {
        long call = in.i64();
        int crc32c = in.i32();
        return new StreamHeader.OfAnswer(call, CallCodec.readAnswer(in), crc32c);
    }

    private static StreamHeader.OfAnswerPart decodeAnswerPart(FieldReader in, int payloadLength)
            throws MalformedMessageException {
        long call = in.i64();
        int crc32c = in.i32();
        int offset = in.i32();
        int wholeLength = in.i32();
        if (payloadLength < 1 || offset < 0 || offset > (long) wholeLength - payloadLength) {
            throw new MalformedMessageException(
                    "a part of " + payloadLength + " bytes at " + offset + " of an answer of " + wholeLength);
        }
        StreamHeader.OfAnswer answer = new StreamHeader.OfAnswer(call, CallCodec.readAnswer(in), crc32c);
        return new StreamHeader.OfAnswerPart(answer, offset, wholeLength);
    }

    private static List<SmallItem> decodeItems(FieldReader in, int payloadLength) throws MalformedMessageException {
        int count = in.count(TransferKey.LENGTH_BYTES, HopSenderLimits.MAX_SMALL_ITEMS, "small transfers");
        List<SmallItem> items = new ArrayList<>(count);
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            SmallItem item = new SmallItem(
                    in.manifest(in.key()), in.commit(), in.i32(), in.raw(TransferDigest.LENGTH_BYTES), in.flag());
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
