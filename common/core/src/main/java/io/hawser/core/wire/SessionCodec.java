package io.hawser.core.wire;

import io.hawser.core.codec.FieldReader;
import io.hawser.core.codec.FieldWriter;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.FarEndProgress;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionTerms;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.Utf8;
import io.hawser.core.remote.ServingMode;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

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
    private static final int RECALL = 15;
    private static final int ASK_PROGRESS = 17;
    private static final int PROGRESS = 18;
    private static final int SUBSCRIBE = 20;
    private static final int SUBSCRIBED = 21;
    private static final int NOT_SUBSCRIBED = 22;
    private static final int LEAVE = 23;
    private static final int NOT_SERVING = 25;
    private static final int UNSUBSCRIBE = 26;

    private SessionCodec() {}

    /** Adds {@code message} to {@code buffer}. */
    public static void encode(ByteBuf buffer, SessionMessage message) {
        FieldWriter out = new FieldWriter(buffer);
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
            refusal(head(out, NOT_SUBSCRIBED, not.hop()), not.refusal());
        } else if (message instanceof SessionMessage.NotServing not) {
            refusal(head(out, NOT_SERVING, not.hop()), not.refusal());
        } else if (message instanceof SessionMessage.OfCall ofCall) {
            CallCodec.encode(out, ofCall);
        }
    }

    private static void encodeSubscribe(FieldWriter out, SessionMessage.Subscribe subscribe) {
        head(out, SUBSCRIBE, subscribe.hop())
                .string(subscribe.name())
                .string(subscribe.topic().name())
                .u8(subscribe.startAt().code())
                .u8(subscribe.ackLevel().code())
                .u8(subscribe.serving().code())
                .pairs(subscribe.terms());
    }

    private static void encodeHop(FieldWriter out, int hop, HopMessage message) {
        if (message instanceof HopMessage.Ack ack) {
            ranges(headAndKey(out, ACK, hop, ack.key()), ack.ranges());
        } else if (message instanceof HopMessage.Committed committed) {
            headAndKey(out, COMMITTED, hop, committed.key())
                    .strings(committed.deliverySet())
                    .i64(committed.repeatedBytes());
        } else if (message instanceof HopMessage.ReceiptNotice notice) {
            Receipt receipt = notice.receipt();
            headAndKey(out, RECEIPT, hop, receipt.key()).receipt(receipt.withReason(cut(receipt.reason())));
        } else if (message instanceof HopMessage.ReceiptAck ack) {
            headAndKey(out, RECEIPT_ACK, hop, ack.key())
                    .string(ack.subscription())
                    .u8(ack.status().code());
        } else if (message instanceof HopMessage.Open open) {
            headAndKey(out, OPEN, hop, open.manifest().key())
                    .manifest(open.manifest())
                    .flag(open.resumed());
        } else if (message instanceof HopMessage.CommitTransfer commit) {
            headAndKey(out, COMMIT, hop, commit.key()).commit(commit.commit());
        } else {
            encodeRare(out, hop, message);
        }
    }

    private static void encodeRare(FieldWriter out, int hop, HopMessage message) {
        if (message instanceof HopMessage.Resume resume) {
            ranges(headAndKey(out, RESUME, hop, resume.key()), resume.durable());
        } else if (message instanceof HopMessage.Nack nack) {
            headAndKey(out, NACK, hop, nack.key()).i64(nack.index());
        } else if (message instanceof HopMessage.Cancel cancel) {
            headAndKey(out, CANCEL, hop, cancel.key()).string(cut(cancel.reason()));
        } else if (message instanceof HopMessage.Recall recall) {
            headAndKey(out, RECALL, hop, recall.key()).string(cut(recall.reason()));
        } else if (message instanceof HopMessage.Cancelled cancelled) {
            headAndKey(out, CANCELLED, hop, cancelled.key());
        } else if (message instanceof HopMessage.Refuse refuse) {
            refusal(headAndKey(out, REFUSE, hop, refuse.key()), refuse.refusal());
        } else if (message instanceof HopMessage.Credit credit) {
            head(out, CREDIT, hop).i64(credit.windowBytes());
        } else if (message instanceof HopMessage.Check check) {
            keys(head(out, CHECK, hop), check.keys());
        } else if (message instanceof HopMessage.Checked checked) {
            keys(head(out, CHECKED, hop), checked.absent());
            keys(out, checked.finished());
        } else if (message instanceof HopMessage.AskProgress ask) {
            keys(head(out, ASK_PROGRESS, hop), ask.keys());
        } else if (message instanceof HopMessage.Progress progress) {
            FieldWriter lines =
                    head(out, PROGRESS, hop).count(progress.farEnds().size());
            progress.farEnds().forEach(line -> lines.key(line.key())
                    .string(line.subscription())
                    .i64(line.durableBytes())
                    .flag(line.connected()));
        }
    }

    private static void keys(FieldWriter out, List<TransferKey> keys) {
        out.count(keys.size());
        keys.forEach(out::key);
    }

    /** The first runs, where there are more than a message holds. */
    private static void ranges(FieldWriter out, FragmentRanges ranges) {
        List<FragmentRange> runs = ranges.runs();
        out.runs(runs.subList(0, Math.min(runs.size(), WireLimits.MAX_RUNS)));
    }

    static FieldWriter head(FieldWriter out, int kind, int hop) {
        return out.u8(kind).u16(hop);
    }

    private static FieldWriter headAndKey(FieldWriter out, int kind, int hop, TransferKey key) {
        return head(out, kind, hop).key(key);
    }

    static void refusal(FieldWriter out, Refusal refusal) {
        out.refusal(new Refusal(refusal.code(), cut(refusal.detail())));
    }

    /** A reason or detail of the length that the wire takes. */
    private static String cut(String text) {
        return Utf8.cut(text, WireLimits.MAX_TEXT_BYTES);
    }

    /** Reads one message, which must use up {@code buffer}. */
    public static SessionMessage decode(ByteBuf buffer) throws MalformedMessageException {
        try {
            FieldReader in = new FieldReader(buffer);
            int kind = in.u8();
            SessionMessage message = decode(kind, in.u16(), in);
            if (buffer.isReadable()) {
                throw new MalformedMessageException(buffer.readableBytes() + " bytes after a message of kind " + kind);
            }
            return message;
        } catch (IllegalArgumentException e) {
            throw new MalformedMessageException("a control message is malformed: " + e.getMessage(), e);
        }
    }

    private static SessionMessage decode(int kind, int hop, FieldReader in) throws MalformedMessageException {
        return switch (kind) {
            case SUBSCRIBE ->
                new SessionMessage.Subscribe(
                        hop,
                        name(in),
                        new Topic(name(in)),
                        StartAt.of(in.u8()),
                        AckLevel.of(in.u8()),
                        ServingMode.of(in.u8()),
                        in.pairs(SubscriptionTerms.MAX_TERMS, "terms"));
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

    private static HopMessage decodeHop(int kind, FieldReader in) throws MalformedMessageException {
        return switch (kind) {
            case OPEN -> new HopMessage.Open(in.manifest(in.key()), in.flag());
            case RESUME -> new HopMessage.Resume(in.key(), in.ranges(WireLimits.MAX_RUNS));
            case ACK -> new HopMessage.Ack(in.key(), in.ranges(WireLimits.MAX_RUNS));
            case NACK -> new HopMessage.Nack(in.key(), in.i64());
            case COMMIT -> new HopMessage.CommitTransfer(in.key(), in.commit());
            case COMMITTED ->
                new HopMessage.Committed(
                        in.key(),
                        in.strings(Topic.MAX_LENGTH_BYTES, WireLimits.MAX_DELIVERY_SET, "subscriptions"),
                        in.i64());
            case RECEIPT -> new HopMessage.ReceiptNotice(in.receipt(in.key(), WireLimits.MAX_TEXT_BYTES));
            case RECEIPT_ACK -> new HopMessage.ReceiptAck(in.key(), name(in), ReceiptStatus.of(in.u8()));
            case CANCEL -> new HopMessage.Cancel(in.key(), in.string(WireLimits.MAX_TEXT_BYTES));
            case CANCELLED -> new HopMessage.Cancelled(in.key());
            case RECALL -> new HopMessage.Recall(in.key(), in.string(WireLimits.MAX_TEXT_BYTES));
            case REFUSE -> new HopMessage.Refuse(in.key(), readRefusal(in));
            case CREDIT -> new HopMessage.Credit(in.i64());
            case CHECK -> new HopMessage.Check(readKeys(in));
            case CHECKED -> new HopMessage.Checked(readKeys(in), readKeys(in));
            case ASK_PROGRESS -> new HopMessage.AskProgress(readKeys(in, HopMessage.AskProgress.MOST_ASKED));
            case PROGRESS -> new HopMessage.Progress(readFarEnds(in));
            default -> throw new MalformedMessageException("a control message of unknown kind " + kind);
        };
    }

    private static List<FarEndProgress> readFarEnds(FieldReader in) {
        int count = in.count(TransferKey.LENGTH_BYTES, HopMessage.Progress.MOST_LINES, "far ends");
        List<FarEndProgress> farEnds = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            farEnds.add(new FarEndProgress(in.key(), name(in), in.i64(), in.flag()));
        }
        return farEnds;
    }

    private static List<TransferKey> readKeys(FieldReader in) {
        return readKeys(in, HopMessage.Check.MOST_CHECKED);
    }

    private static List<TransferKey> readKeys(FieldReader in, int most) {
        int count = in.count(TransferKey.LENGTH_BYTES, most, "transfers");
        List<TransferKey> keys = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            keys.add(in.key());
        }
        return keys;
    }

    static Refusal readRefusal(FieldReader in) {
        return in.refusal(WireLimits.MAX_TEXT_BYTES);
    }

    private static String name(FieldReader in) {
        return in.string(Topic.MAX_LENGTH_BYTES);
    }
}
