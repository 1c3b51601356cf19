package io.hawser.store.landing;

import io.hawser.core.codec.FieldReader;
import io.hawser.core.codec.FieldWriter;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import io.hawser.store.journal.RecordKinds;
import io.hawser.store.journal.StoredManifests;
import io.hawser.store.landing.LandingRecord.Acked;
import io.hawser.store.landing.LandingRecord.AckedFailure;
import io.hawser.store.landing.LandingRecord.Cancelled;
import io.hawser.store.landing.LandingRecord.Dropped;
import io.hawser.store.landing.LandingRecord.Ended;
import io.hawser.store.landing.LandingRecord.Opened;
import io.hawser.store.landing.LandingRecord.Parked;
import io.hawser.store.landing.LandingRecord.Verified;
import io.hawser.store.storage.FormatTooNewException;

/** The kinds of the landing area's records; {@code docs/reference/format-landing.md} draws their bodies. */
final class LandingRecordKinds {
    static final RecordKinds<LandingRecord> KINDS = new RecordKinds<LandingRecord>("landing journal")
            .add(
                    1,
                    Opened.class,
                    (opened, out) -> out.i64(opened.epochMillis()).manifest(opened.manifest()),
                    LandingRecordKinds::opened)
            .add(
                    2,
                    Verified.class,
                    (done, out) -> out.i64(done.order()).commit(done.commit()).manifest(done.manifest()),
                    LandingRecordKinds::verified)
            .add(3, Ended.class, (ended, out) -> out.receipt(ended.receipt()), (key, in) -> new Ended(in.receipt(key)))
            .add(4, Acked.class, (acked, out) -> out.i64(acked.epochMillis()), (key, in) -> new Acked(key, in.i64()))
            .add(
                    5,
                    Cancelled.class,
                    (cancelled, out) -> out.i64(cancelled.epochMillis()),
                    (key, in) -> new Cancelled(key, in.i64()))
            .add(6, Dropped.class, (dropped, out) -> {}, (key, in) -> new Dropped(key))
            .add(7, Parked.class, LandingRecordKinds::write, LandingRecordKinds::parked)
            .add(
                    8,
                    AckedFailure.class,
                    (failure, out) -> out.i64(failure.epochMillis()),
                    (key, in) -> new AckedFailure(key, in.i64()));

    private LandingRecordKinds() {}

    private static Opened opened(TransferKey key, FieldReader in) throws FormatTooNewException {
        long epochMillis = in.i64();
        return new Opened(StoredManifests.read(in, key), epochMillis);
    }

    private static Verified verified(TransferKey key, FieldReader in) throws FormatTooNewException {
        long order = in.i64();
        Commit commit = in.commit();
        return new Verified(StoredManifests.read(in, key), commit, order);
    }

    private static void write(Parked parked, FieldWriter out) {
        DeadLetter letter = parked.letter();
        out.i64(letter.sinceMillis()).string(letter.reason()).string(letter.overtakenBy());
        out.commit(parked.commit()).manifest(parked.manifest());
    }

    private static Parked parked(TransferKey key, FieldReader in) throws FormatTooNewException {
        long sinceMillis = in.i64();
        String reason = in.string();
        String overtakenBy = in.string();
        Commit commit = in.commit();
        Manifest manifest = StoredManifests.read(in, key);
        DeadLetter letter =
                new DeadLetter(key.toString(), manifest.name(), commit.sizeBytes(), sinceMillis, reason, overtakenBy);
        return new Parked(manifest, commit, letter);
    }
}
