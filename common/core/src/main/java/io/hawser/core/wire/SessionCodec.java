package io.hawser.core.wire;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionTerms;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.remote.Serving;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Encodes and decodes control messages. The package description has the layout. */
public final class SessionCodec {
    private static final int OPEN = 1;
    private static final int RESUME = 2;
    private static final int ACK = 3;
    private static final int NACK = 4;
    private static final int COMMIT = 5;
    private static final int COMMITTED = 6;
    private static final int RECEIPT = 7;
    private static final int RECEIPT_ACK = 8;
    private static final int CANCEL = 9;
    private static final int CANCELLED = 10;
    private static final int REFUSE = 11;
    private static final int CREDIT = 12;
    private static final int CHECK = 13;
    private static final int CHECKED = 14;
    private static final int SUBSCRIBE = 20;
    private static final int SUBSCRIBED = 21;
    private static final int NOT_SUBSCRIBED = 22;
    private static final int LEAVE = 23;
    private static final int SUBSCRIBE_ON_TERMS = 24;
    private static final int NOT_SERVING = 25;
    private static final int UNSUBSCRIBE = 26;

    private SessionCodec() {}

    public static void encode(ByteBuf out, SessionMessage message) {
        if (message instanceof SessionMessage.OfHop ofHop) {
            encodeHop(out, ofHop.hop(), ofHop.message());
        } else if (message instanceof SessionMessage.Subscribe subscribe) {
            encodeSubscribe(out, subscribe);
        } else if (message instanceof SessionMessage.Subscribed subscribed) {
            head(out, SUBSCRIBED, subscribed.hop());
        } else if (message instanceof SessionMessage.Leave leave) {
            head(out, LEAVE, leave.hop());
        } else if (message instanceof SessionMessage.Unsubscribe unsubscribe) {
            head(out, UNSUBSCRIBE, unsubscribe.hop());
        } else if (message instanceof SessionMessage.NotSubscribed not) {
            head(out, NOT_SUBSCRIBED, not.hop());
            refusal(out, not.refusal());
        } else if (message instanceof SessionMessage.NotServing not) {
            head(out, NOT_SERVING, not.hop());
            refusal(out, not.refusal());
        } else if (message instanceof SessionMessage.OfCall ofCall) {
            CallCodec.encode(out, ofCall);
        }
    }

    /** Without terms it is SUBSCRIBE, which a broker that knows no terms accepts. */
    private static void encodeSubscribe(ByteBuf out, SessionMessage.Subscribe subscribe) {
        head(out, subscribe.terms().isEmpty() ? SUBSCRIBE : SUBSCRIBE_ON_TERMS, subscribe.hop());
        WireWriter.string(out, subscribe.name());
        WireWriter.string(out, subscribe.topic().name());
        out.writeByte(subscribe.startAt().code());
        out.writeByte(subscribe.ackLevel().code());
        out.writeByte(subscribe.serving().code());
        if (!subscribe.terms().isEmpty()) {
            WireWriter.pairs(out, new TreeMap<>(subscribe.terms()));
        }
    }

    private static void encodeHop(ByteBuf out, int hop, HopMessage message) {
        if (message instanceof HopMessage.Ack ack) {
            headAndKey(out, ACK, hop, ack.key());
            WireWriter.ranges(out, ack.ranges());
        } else if (message instanceof HopMessage.Committed committed) {
            headAndKey(out, COMMITTED, hop, committed.key());
            out.writeShort(committed.deliverySet().size());
            committed.deliverySet().forEach(name -> WireWriter.string(out, name));
            out.writeLong(committed.repeatedBytes());
        } else if (message instanceof HopMessage.ReceiptNotice notice) {
            encodeReceipt(out, hop, notice.receipt());
        } else if (message instanceof HopMessage.ReceiptAck ack) {
            headAndKey(out, RECEIPT_ACK, hop, ack.key());
            WireWriter.string(out, ack.subscription());
            out.writeByte(ack.status().code());
        } else if (message instanceof HopMessage.Open open) {
            head(out, OPEN, hop);
            WireWriter.manifest(out, open.manifest());
            out.writeByte(open.resumed() ? 1 : 0);
        } else if (message instanceof HopMessage.CommitTransfer commit) {
            headAndKey(out, COMMIT, hop, commit.key());
            WireWriter.commit(out, commit.commit());
        } else {
            encodeRare(out, hop, message);
        }
    }

    private static void encodeRare(ByteBuf out, int hop, HopMessage message) {
        if (message instanceof HopMessage.Resume resume) {
            headAndKey(out, RESUME, hop, resume.key());
            WireWriter.ranges(out, resume.durable());
        } else if (message instanceof HopMessage.Nack nack) {
            headAndKey(out, NACK, hop, nack.key());
            out.writeLong(nack.index());
        } else if (message instanceof HopMessage.Cancel cancel) {
            headAndKey(out, CANCEL, hop, cancel.key());
            WireWriter.text(out, cancel.reason());
        } else if (message instanceof HopMessage.Cancelled cancelled) {
            headAndKey(out, CANCELLED, hop, cancelled.key());
        } else if (message instanceof HopMessage.Refuse refuse) {
            headAndKey(out, REFUSE, hop, refuse.key());
            refusal(out, refuse.refusal());
        } else if (message instanceof HopMessage.Credit credit) {
            head(out, CREDIT, hop);
            out.writeLong(credit.windowBytes());
        } else if (message instanceof HopMessage.Check check) {
            head(out, CHECK, hop);
            keys(out, check.keys());
        } else if (message instanceof HopMessage.Checked checked) {
            head(out, CHECKED, hop);
            keys(out, checked.absent());
            keys(out, checked.finished());
        }
    }

    private static void keys(ByteBuf out, List<TransferKey> keys) {
        out.writeShort(keys.size());
        keys.forEach(key -> WireWriter.key(out, key));
    }

    private static void encodeReceipt(ByteBuf out, int hop, Receipt receipt) {
        headAndKey(out, RECEIPT, hop, receipt.key());
        WireWriter.string(out, receipt.subscription());
        out.writeByte(receipt.status().code());
        WireWriter.text(out, receipt.reason());
        out.writeLong(receipt.epochMillis());
    }

    static void head(ByteBuf out, int kind, int hop) {
        out.writeByte(kind).writeShort(hop);
    }

    private static void headAndKey(ByteBuf out, int kind, int hop, TransferKey key) {
        head(out, kind, hop);
        WireWriter.key(out, key);
    }

    static void refusal(ByteBuf out, Refusal refusal) {
        out.writeShort(refusal.code().code());
        WireWriter.text(out, refusal.detail());
    }

    /** Reads one message, which must use up {@code in}. */
    public static SessionMessage decode(ByteBuf in) throws MalformedMessageException {
        try {
            int kind = in.readUnsignedByte();
            int hop = in.readUnsignedShort();
            SessionMessage message = decode(kind, hop, in);
            if (in.isReadable()) {
                throw new MalformedMessageException(in.readableBytes() + " bytes after a message of kind " + kind);
            }
            return message;
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new MalformedMessageException("a control message is malformed: " + e.getMessage(), e);
        }
    }

    private static SessionMessage decode(int kind, int hop, ByteBuf in) throws MalformedMessageException {
        return switch (kind) {
            case SUBSCRIBE, SUBSCRIBE_ON_TERMS ->
                new SessionMessage.Subscribe(
                        hop,
                        WireReader.string(in, Topic.MAX_LENGTH_BYTES),
                        new Topic(WireReader.string(in, Topic.MAX_LENGTH_BYTES)),
                        StartAt.of(in.readUnsignedByte()),
                        AckLevel.of(in.readUnsignedByte()),
                        Serving.of(in.readUnsignedByte()),
                        kind == SUBSCRIBE ? Map.of() : WireReader.pairs(in, SubscriptionTerms.MAX_TERMS));
            case SUBSCRIBED -> new SessionMessage.Subscribed(hop);
            case LEAVE -> new SessionMessage.Leave(hop);
            case UNSUBSCRIBE -> new SessionMessage.Unsubscribe(hop);
            case NOT_SUBSCRIBED -> new SessionMessage.NotSubscribed(hop, readRefusal(in));
            case NOT_SERVING -> new SessionMessage.NotServing(hop, readRefusal(in));
            case CallCodec.ASK, CallCodec.ANSWERED, CallCodec.CALL_REFUSED, CallCodec.CANCEL_CALL ->
                CallCodec.decode(kind, in);
            default -> new SessionMessage.OfHop(hop, decodeHop(kind, in));
        };
    }

    private static HopMessage decodeHop(int kind, ByteBuf in) throws MalformedMessageException {
        return switch (kind) {
            case OPEN -> new HopMessage.Open(WireReader.manifest(in), in.readUnsignedByte() == 1);
            case RESUME -> new HopMessage.Resume(WireReader.key(in), WireReader.ranges(in));
            case ACK -> new HopMessage.Ack(WireReader.key(in), WireReader.ranges(in));
            case NACK -> new HopMessage.Nack(WireReader.key(in), in.readLong());
            case COMMIT -> new HopMessage.CommitTransfer(WireReader.key(in), WireReader.commit(in));
            case COMMITTED -> new HopMessage.Committed(WireReader.key(in), names(in), in.readLong());
            case RECEIPT -> new HopMessage.ReceiptNotice(readReceipt(in));
            case RECEIPT_ACK ->
                new HopMessage.ReceiptAck(
                        WireReader.key(in),
                        WireReader.string(in, Topic.MAX_LENGTH_BYTES),
                        ReceiptStatus.of(in.readUnsignedByte()));
            case CANCEL -> new HopMessage.Cancel(WireReader.key(in), WireReader.string(in, WireLimits.MAX_TEXT_BYTES));
            case CANCELLED -> new HopMessage.Cancelled(WireReader.key(in));
            case REFUSE -> new HopMessage.Refuse(WireReader.key(in), readRefusal(in));
            case CREDIT -> new HopMessage.Credit(in.readLong());
            case CHECK -> new HopMessage.Check(readKeys(in));
            case CHECKED -> new HopMessage.Checked(readKeys(in), readKeys(in));
            default -> throw new MalformedMessageException("a control message of unknown kind " + kind);
        };
    }

    private static List<TransferKey> readKeys(ByteBuf in) throws MalformedMessageException {
        int count = WireReader.count(in.readUnsignedShort(), HopMessage.Check.MOST_CHECKED, "transfers");
        List<TransferKey> keys = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            keys.add(WireReader.key(in));
        }
        return keys;
    }

    private static Receipt readReceipt(ByteBuf in) throws MalformedMessageException {
        return new Receipt(
                WireReader.key(in),
                WireReader.string(in, Topic.MAX_LENGTH_BYTES),
                ReceiptStatus.of(in.readUnsignedByte()),
                WireReader.string(in, WireLimits.MAX_TEXT_BYTES),
                in.readLong());
    }

    static Refusal readRefusal(ByteBuf in) throws MalformedMessageException {
        return new Refusal(ErrorCode.of(in.readUnsignedShort()), WireReader.string(in, WireLimits.MAX_TEXT_BYTES));
    }

    private static List<String> names(ByteBuf in) throws MalformedMessageException {
        int count = WireReader.count(in.readUnsignedShort(), WireLimits.MAX_DELIVERY_SET, "subscriptions");
        List<String> names = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            names.add(WireReader.string(in, Topic.MAX_LENGTH_BYTES));
        }
        return names;
    }
}
