package io.hawser.broker.store.local;

import io.hawser.broker.relay.RelayRecord;
import io.hawser.broker.store.local.BrokerTombstones.Tombstone;
import io.hawser.core.codec.FieldWriter;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.TransferKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the bodies of the broker's records; the package description lists them. {@link RecordApplier} decodes each where it
 * applies it.
 *
 * <p>Thread: any.
 */
final class RecordCodec {
    private RecordCodec() {}

    /** A record ready to be appended. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Encoded(int kind, @Nullable TransferKey key, byte[] body) {
        private static Encoded of(int kind, TransferKey key, FieldWriter out) {
            return new Encoded(kind, key, out.toBytes());
        }
    }

    /** Begins a body. */
    static FieldWriter body() {
        return new FieldWriter().u8(BodyReader.VERSION);
    }

    private static FieldWriter bodyOf(long millis) {
        return body().i64(millis);
    }

    static FieldWriter write(FieldWriter out, Manifest manifest) {
        return out.key(manifest.key()).manifest(manifest);
    }

    static FieldWriter write(FieldWriter out, Receipt receipt) {
        return out.key(receipt.key()).receipt(receipt);
    }

    /**
     * Encodes.
     *
     * @param freshSubscription whether a subscription in it comes into being: a later reader may not know the earlier ones
     */
    static Encoded encode(RelayRecord record, boolean freshSubscription, long nowMillis) {
        FieldWriter out = bodyOf(nowMillis);
        if (record instanceof RelayRecord.Opened opened) {
            return Encoded.of(RecordKind.OPENED, opened.manifest().key(), write(out, opened.manifest()));
        } else if (record instanceof RelayRecord.Committed committed) {
            out.commit(committed.commit()).strings(committed.deliverySet());
            return Encoded.of(RecordKind.COMMITTED, committed.key(), out);
        } else if (record instanceof RelayRecord.Cancelled cancelled) {
            return Encoded.of(RecordKind.CANCELLED, cancelled.key(), out.string(cancelled.reason()));
        } else if (record instanceof RelayRecord.Forgotten forgotten) {
            return Encoded.of(RecordKind.FORGOTTEN, forgotten.key(), out.string(forgotten.reason()));
        } else if (record instanceof RelayRecord.Subscribed subscribed) {
            FieldWriter body = body().flag(freshSubscription).flag(subscribed.firstOnTopic());
            SubscriptionCodec.write(body, subscribed.spec());
            return new Encoded(RecordKind.SUBSCRIBED, null, body.toBytes());
        } else if (record instanceof RelayRecord.Unsubscribed unsubscribed) {
            FieldWriter body = bodyOf(unsubscribed.epochMillis())
                    .string(unsubscribed.subscription())
                    .string(unsubscribed.topic().name());
            return new Encoded(RecordKind.UNSUBSCRIBED, null, body.toBytes());
        } else if (record instanceof RelayRecord.Expired expired) {
            return Encoded.of(
                    RecordKind.EXPIRED,
                    expired.key(),
                    bodyOf(expired.epochMillis()).string(expired.reason()));
        } else if (record instanceof RelayRecord.Recalled recalled) {
            return Encoded.of(
                    RecordKind.RECALLED,
                    recalled.key(),
                    bodyOf(recalled.epochMillis()).string(recalled.reason()).strings(recalled.asked()));
        } else if (record instanceof RelayRecord.Steered steered) {
            return Encoded.of(
                    RecordKind.STEERED, steered.key(), out.flag(steered.held()).u8(steered.priority()));
        } else if (record instanceof RelayRecord.Settled settled) {
            return Encoded.of(RecordKind.SETTLED, settled.key(), out.string(settled.subscription()));
        } else if (record instanceof RelayRecord.Permitted permitted) {
            out.string(permitted.subscription()).node(permitted.member());
            return Encoded.of(RecordKind.PERMITTED, permitted.key(), out);
        } else if (record instanceof RelayRecord.ReceiptKept kept) {
            return Encoded.of(RecordKind.RECEIPT_KEPT, kept.receipt().key(), write(out, kept.receipt()));
        }
        RelayRecord.ReceiptAcked acked = (RelayRecord.ReceiptAcked) record; // the last of a sealed set
        return Encoded.of(RecordKind.RECEIPT_ACKED, acked.key(), out.string(acked.subscription()));
    }

    static byte[] fragment(long nowMillis) {
        return bodyOf(nowMillis).toBytes();
    }

    static byte[] small(long nowMillis, Manifest manifest, Commit commit, List<String> deliverySet) {
        FieldWriter out = write(bodyOf(nowMillis), manifest);
        return out.commit(commit).strings(deliverySet).toBytes();
    }

    static byte[] carriedSubscription(SubscriptionSpec spec) {
        return SubscriptionCodec.write(body(), spec).toBytes();
    }

    static byte[] tombstones(BrokerTombstones.Row row) {
        FieldWriter out = body().i64(row.id).count(row.tombstones.size());
        row.tombstones.forEach(tombstone -> out.key(tombstone.key()).i64(tombstone.epochMillis()));
        return out.toBytes();
    }

    static BrokerTombstones.Row tombstones(BodyReader in, long segment) {
        BrokerTombstones.Row row = new BrokerTombstones.Row(in.i64(), segment);
        int count = in.count(5 * Long.BYTES);
        for (int i = 0; i < count; i++) {
            row.add(new Tombstone(in.key(), in.i64()));
        }
        return row;
    }
}
