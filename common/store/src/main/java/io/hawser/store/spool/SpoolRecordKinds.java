package io.hawser.store.spool;

import io.hawser.core.codec.FieldReader;
import io.hawser.core.codec.FieldWriter;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.store.journal.RecordKinds;
import io.hawser.store.journal.StoredManifests;
import io.hawser.store.log.SegmentLog;
import io.hawser.store.spool.SpoolRecord.Brokered;
import io.hawser.store.spool.SpoolRecord.Cancelled;
import io.hawser.store.spool.SpoolRecord.Committed;
import io.hawser.store.spool.SpoolRecord.Ended;
import io.hawser.store.spool.SpoolRecord.HighWater;
import io.hawser.store.spool.SpoolRecord.Lost;
import io.hawser.store.spool.SpoolRecord.Opened;
import io.hawser.store.spool.SpoolRecord.Recalled;
import io.hawser.store.spool.SpoolRecord.Receipted;
import io.hawser.store.spool.SpoolRecord.Refused;
import io.hawser.store.spool.SpoolRecord.Resumed;
import io.hawser.store.spool.SpoolRecord.Settled;
import io.hawser.store.spool.SpoolRecord.Small;
import io.hawser.store.spool.SpoolRecord.Steered;
import io.hawser.store.spool.SpoolRecord.Suspended;
import io.hawser.store.storage.FormatTooNewException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The kinds of the spool's records; {@code docs/reference/format-spool.md} draws their bodies. */
final class SpoolRecordKinds {
    static final RecordKinds<SpoolRecord> KINDS = new RecordKinds<SpoolRecord>("spool journal")
            .add(1, Opened.class, SpoolRecordKinds::write, SpoolRecordKinds::opened)
            .add(
                    2,
                    Small.class,
                    (small, out) -> out.manifest(small.manifest()).commit(small.commit()),
                    (key, in) -> new Small(StoredManifests.read(in, key), in.commit()))
            .add(
                    3,
                    Committed.class,
                    (committed, out) -> out.commit(committed.commit()),
                    (key, in) -> new Committed(key, in.commit()))
            .add(
                    4,
                    Suspended.class,
                    (suspended, out) -> out.i64(suspended.epochMillis()).string(suspended.reason()),
                    (key, in) -> new Suspended(key, in.i64(), in.string()))
            .add(5, Resumed.class, (resumed, out) -> {}, (key, in) -> new Resumed(key))
            .add(
                    6,
                    Cancelled.class,
                    (cancelled, out) -> out.refusal(cancelled.refusal()).flag(cancelled.inDoubt()),
                    (key, in) -> new Cancelled(key, in.refusal(), in.flag()))
            .add(
                    7,
                    Brokered.class,
                    (brokered, out) -> out.strings(brokered.deliverySet()),
                    (key, in) -> new Brokered(key, List.copyOf(in.strings())))
            .add(
                    8,
                    Receipted.class,
                    (receipted, out) -> out.receipt(receipted.receipt()),
                    (key, in) -> new Receipted(key, in.receipt(key)))
            .add(
                    9,
                    Refused.class,
                    (refused, out) -> out.refusal(refused.refusal()),
                    (key, in) -> new Refused(key, in.refusal()))
            .add(10, Ended.class, (ended, out) -> {}, (key, in) -> new Ended(key))
            .addWithoutKey(11, HighWater.class, (high, out) -> out.i64(high.number()), in -> new HighWater(in.i64()))
            .add(12, Lost.class, (lost, out) -> {}, (key, in) -> new Lost(key))
            .add(
                    13,
                    Recalled.class,
                    (recalled, out) -> out.string(recalled.reason()),
                    (key, in) -> new Recalled(key, in.string()))
            .add(
                    14,
                    Steered.class,
                    (steered, out) -> out.flag(steered.held()).u8(steered.priority()),
                    (key, in) -> new Steered(key, in.flag(), in.u8()))
            .add(
                    20,
                    Settled.class,
                    (settled, out) -> out.receipt(settled.last()),
                    (key, in) -> new Settled(key, in.receipt(key)));

    private static final int FIXED_SMALL_BYTES = 128 + Topic.MAX_LENGTH_BYTES;

    private SpoolRecordKinds() {}

    /** Whether that manifest surely fits into the record of a small transfer. */
    static boolean fitsSmall(Manifest manifest) {
        return maxSmallBodyBytes(manifest) <= SegmentLog.maxFragmentBodyBytes();
    }

    /** A bound on the body of {@link Small}, without encoding it. */
    static int maxSmallBodyBytes(Manifest manifest) {
        int strings = manifest.paths().size() + 2 * manifest.attributes().size();
        return FIXED_SMALL_BYTES + manifest.weightBytes() + Integer.BYTES * strings;
    }

    private static void write(Opened opened, FieldWriter out) {
        SourceFingerprint source = opened.source();
        out.manifest(opened.manifest()).flag(source != null);
        if (source != null) {
            out.string(source.path())
                    .i64(source.sizeBytes())
                    .i64(source.modifiedNanos())
                    .string(source.fileKey());
        }
    }

    private static Opened opened(TransferKey key, FieldReader in) throws FormatTooNewException {
        return new Opened(StoredManifests.read(in, key), source(in));
    }

    private static @Nullable SourceFingerprint source(FieldReader in) {
        return in.flag() ? new SourceFingerprint(in.string(), in.i64(), in.i64(), in.string()) : null;
    }
}
