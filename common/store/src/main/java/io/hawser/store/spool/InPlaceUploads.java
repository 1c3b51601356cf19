package io.hawser.store.spool;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.store.storage.StorageException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Files that are read in place. Each is looked at on a disk thread, a bounded number at a time; a small one is read there and
 * becomes a small transfer, a larger one gets a {@link InPlaceFileHasher}, two at a time.
 *
 * <p>Thread: the loop.
 */
final class InPlaceUploads {
    private static final int MAX_OPENING = 64;
    private static final int MAX_PASSES = 2;

    private final UploadContext context;
    private final FirstRecordQueue births;
    private final TransferRegister register;
    private final Queue<Opening> waiting = new ArrayDeque<>();
    private final Queue<InPlaceFileHasher> waitingPasses = new ArrayDeque<>();
    private int opening;
    private int passes;

    InPlaceUploads(UploadContext context, FirstRecordQueue births, TransferRegister register) {
        this.context = context;
        this.births = births;
        this.register = register;
    }

    private record Opening(
            SpoolTransfer unborn,
            Path path,
            Function<SourceFingerprint, Manifest> described,
            FirstRecordQueue.Place place,
            Outcome.Callback<Commit> done) {}

    /** What the disk thread found: content for a small file, null for a larger one. */
    private record Found(SourceFingerprint source, @Nullable ByteBuffer content) {}

    /** Sends {@code path}; {@code unborn} stands for it until its facts are known. */
    void add(
            SpoolTransfer unborn,
            Path path,
            Function<SourceFingerprint, Manifest> described,
            Outcome.Callback<Commit> done) {
        waiting.add(new Opening(unborn, path, described, births.reserve(), done));
        pump();
    }

    /** Resumes what an earlier run began. */
    void goOn(SpoolTransfer transfer, SourceFingerprint source) {
        begin(transfer, source, outcome -> {});
    }

    private void pump() {
        while (opening < MAX_OPENING && !waiting.isEmpty()) {
            opening++;
            Opening next = waiting.remove();
            context.disk().execute(() -> look(next));
        }
    }

    private void look(Opening next) {
        Outcome<Found> found;
        try {
            SourceFingerprint source = context.sources().fingerprint(next.path);
            if (source.sizeBytes() == 0) {
                context.sources().checkEmpty(source);
            }
            boolean small = isSmall(source, next.unborn.manifest());
            found = Outcome.of(new Found(source, small ? context.sources().readAll(source) : null));
        } catch (StorageException e) {
            Refusal why = InPlaceFileHasher.refusalOf(e);
            found = Outcome.refused(
                    why.code() == ErrorCode.STORAGE_FAILED ? ErrorCode.NOT_FOUND : why.code(), why.detail());
        }
        Outcome<Found> outcome = found;
        context.mailbox().post(() -> looked(next, outcome));
    }

    private static boolean isSmall(SourceFingerprint source, Manifest manifest) {
        return source.sizeBytes() <= Math.min(Spool.SMALL_LIMIT_BYTES, manifest.fragmentSizeBytes())
                && SpoolRecordKinds.fitsSmall(manifest);
    }

    private void looked(Opening next, Outcome<Found> outcome) {
        Refusal refusal = outcome.refusal();
        if (refusal == null) {
            refusal = next.unborn.milestones().endWanted(); // it was cancelled meanwhile
        }
        Found found = outcome.value();
        if (refusal == null && found != null && found.content != null) {
            refusal = context.space().reserve(next.unborn, found.content.remaining());
        }
        if (refusal != null || found == null) {
            births.drop(next.place);
            opened();
            refuse(next, refusal);
            return;
        }
        boolean small = found.content != null;
        SpoolTransfer transfer = new SpoolTransfer(
                next.described.apply(found.source), small ? null : found.source, register.steadyNanos());
        transfer.setSpace(next.unborn.reservedBytes(), 0);
        next.unborn.setSpace(0, 0);
        register.replace(next.unborn, transfer);
        if (found.content != null) {
            context.transfers().small(next.place, transfer, found.content, commit -> {
                opened();
                next.done.accept(commit);
            });
        } else {
            context.transfers().open(next.place, transfer, born -> {
                Refusal failed = born.refusal();
                if (failed == null) {
                    begin(transfer, found.source, next.done);
                } else {
                    next.done.accept(Outcome.refused(failed));
                }
            });
            opened();
        }
    }

    private void refuse(Opening next, @Nullable Refusal refusal) {
        Refusal why = refusal == null ? new Refusal(ErrorCode.CANCELLED, "cancelled") : refusal;
        context.transfers().cancel(next.unborn, why);
        next.done.accept(Outcome.refused(why));
    }

    private void opened() {
        opening--;
        pump();
    }

    private void begin(SpoolTransfer transfer, SourceFingerprint source, Outcome.Callback<Commit> done) {
        waitingPasses.add(new InPlaceFileHasher(context, transfer, source, outcome -> {
            passes--;
            done.accept(outcome);
            pumpPasses();
        }));
        pumpPasses();
    }

    private void pumpPasses() {
        while (passes < MAX_PASSES && !waitingPasses.isEmpty()) {
            passes++;
            waitingPasses.remove().pump();
        }
    }
}
