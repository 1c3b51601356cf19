package io.hawser.broker.store.local;

import io.hawser.broker.relay.RelayRecord;
import io.hawser.broker.store.local.Tombstones.Tombstone;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.TransferKey;
import io.hawser.store.storage.StorageException;
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

    /**
     * A record ready to be appended.
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Encoded(int kind, @Nullable TransferKey key, byte[] body) {}

    /**
     * Encodes.
     *
     * @param freshSubscription whether a subscription in it comes into being: a later reader may not know the earlier ones
     */
    static Encoded encode(RelayRecord record, boolean freshSubscription, long nowMillis) {
        BodyWriter out = new BodyWriter();
        if (record instanceof RelayRecord.Opened opened) {
            return new Encoded(
                    RecordKind.OPENED,
                    opened.manifest().key(),
                    out.i64(nowMillis).manifest(opened.manifest()).toBytes());
        } else if (record instanceof RelayRecord.Committed committed) {
            out.i64(nowMillis).commit(committed.commit()).strings(committed.deliverySet());
            return new Encoded(RecordKind.COMMITTED, committed.key(), out.toBytes());
        } else if (record instanceof RelayRecord.Cancelled cancelled) {
            return new Encoded(
                    RecordKind.CANCELLED,
                    cancelled.key(),
                    out.i64(nowMillis).string(cancelled.reason()).toBytes());
        } else if (record instanceof RelayRecord.Forgotten forgotten) {
            return new Encoded(
                    RecordKind.FORGOTTEN,
                    forgotten.key(),
                    out.i64(nowMillis).string(forgotten.reason()).toBytes());
        } else if (record instanceof RelayRecord.Subscribed subscribed) {
            return new Encoded(
                    RecordKind.SUBSCRIBED,
                    null,
                    BodyWriter.of(subscribed.spec())
                            .flag(freshSubscription)
                            .flag(subscribed.firstOnTopic())
                            .subscription(subscribed.spec())
                            .toBytes());
        } else if (record instanceof RelayRecord.Unsubscribed unsubscribed) {
            out.i64(unsubscribed.epochMillis())
                    .string(unsubscribed.subscription())
                    .string(unsubscribed.topic().name());
            return new Encoded(RecordKind.UNSUBSCRIBED, null, out.toBytes());
        } else if (record instanceof RelayRecord.Expired expired) {
            out.i64(expired.epochMillis()).string(expired.reason());
            return new Encoded(RecordKind.EXPIRED, expired.key(), out.toBytes());
        } else if (record instanceof RelayRecord.Settled settled) {
            out.i64(nowMillis).string(settled.subscription());
            return new Encoded(RecordKind.SETTLED, settled.key(), out.toBytes());
        } else if (record instanceof RelayRecord.Permitted permitted) {
            out.i64(nowMillis).string(permitted.subscription()).node(permitted.member());
            return new Encoded(RecordKind.PERMITTED, permitted.key(), out.toBytes());
        } else if (record instanceof RelayRecord.ReceiptKept kept) {
            out.i64(nowMillis).receipt(kept.receipt());
            return new Encoded(RecordKind.RECEIPT_KEPT, kept.receipt().key(), out.toBytes());
        }
        RelayRecord.ReceiptAcked acked = (RelayRecord.ReceiptAcked) record; // the last of a sealed set
        out.i64(nowMillis).string(acked.subscription());
        return new Encoded(RecordKind.RECEIPT_ACKED, acked.key(), out.toBytes());
    }

    static byte[] fragment(long nowMillis) {
        return new BodyWriter().i64(nowMillis).toBytes();
    }

    static byte[] small(long nowMillis, Manifest manifest, Commit commit, List<String> deliverySet) {
        return new BodyWriter()
                .i64(nowMillis)
                .manifest(manifest)
                .commit(commit)
                .strings(deliverySet)
                .toBytes();
    }

    static byte[] carriedSubscription(SubscriptionSpec spec) {
        return BodyWriter.of(spec).subscription(spec).toBytes();
    }

    static byte[] tombstones(Tombstones.Row row) {
        BodyWriter out = new BodyWriter().i64(row.id).i32(row.tombstones.size());
        row.tombstones.forEach(tombstone -> out.key(tombstone.key()).i64(tombstone.epochMillis()));
        return out.toBytes();
    }

    static Tombstones.Row tombstones(BodyReader in, long segment) throws StorageException {
        Tombstones.Row row = new Tombstones.Row(in.i64(), segment);
        int count = in.count(5 * Long.BYTES);
        for (int i = 0; i < count; i++) {
            row.add(new Tombstone(in.key(), in.i64()));
        }
        return row;
    }
}
