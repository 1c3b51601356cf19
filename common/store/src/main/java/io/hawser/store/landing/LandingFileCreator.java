package io.hawser.store.landing;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.store.storage.StorageException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Begins transfers: space is held, the landing file is made, and the journal says so. Fragments that come meanwhile wait.
 *
 * <p>Thread: the loop.
 */
final class LandingFileCreator {
    private final LandingContext context;
    private final LandingRegister register;
    private final LandingJournal journal;
    private final BiConsumer<LandingTransfer, StorageException> broken;
    private final ArrivalNotifier arrivals;

    /** {@code broken} learns that a landing file can no longer be trusted. */
    LandingFileCreator(
            LandingContext context,
            LandingRegister register,
            LandingJournal journal,
            BiConsumer<LandingTransfer, StorageException> broken,
            ArrivalNotifier arrivals) {
        this.context = context;
        this.register = register;
        this.journal = journal;
        this.broken = broken;
        this.arrivals = arrivals;
    }

    /** Creates the files of {@code landing}, which is in the register, and answers its waiting callbacks. */
    void begin(LandingTransfer landing) {
        Refusal refusal = problemOf(landing);
        if (refusal != null) {
            refuse(landing, refusal);
            return;
        }
        landing.creating = true;
        landing.workBegan();
        VerifiedWriter assembly = assembly(landing, new FragmentRanges(), 0);
        landing.assembly = assembly;
        context.workers().onNames(context.files()::usableSpaceBytes, (usable, problem) -> {
            Refusal noSpace = usable == null ? CallbackDispatcher.storageRefusal(problem) : reserve(landing, usable);
            if (noSpace == null) {
                makeFiles(landing, assembly);
            } else {
                refuse(landing, noSpace);
                landing.workEnded();
            }
        });
    }

    /** How the fragments of {@code landing} come in, {@code durable} being there already. */
    VerifiedWriter assembly(LandingTransfer landing, FragmentRanges durable, long durableBytes) {
        return new VerifiedWriter(
                landing,
                context,
                durable,
                durableBytes,
                cause -> broken.accept(landing, cause),
                prefixBytes -> arrivals.grew(landing, prefixBytes));
    }

    private static @Nullable Refusal problemOf(LandingTransfer landing) {
        Manifest manifest = landing.manifest;
        return landing.hasFile() && manifest.fragmentSizeBytes() < FragmentBuffer.ALIGNMENT_BYTES
                ? new Refusal(
                        ErrorCode.MALFORMED,
                        "Where a disk is involved a fragment has at least " + FragmentBuffer.ALIGNMENT_BYTES
                                + " bytes, not " + manifest.fragmentSizeBytes() + ".")
                : null;
    }

    private @Nullable Refusal reserve(LandingTransfer landing, long usable) {
        long bytes = Math.max(0, landing.manifest.sizeBytes());
        long copyBytes = landing.foreseenCopyBytes();
        context.ledger().measured(usable);
        Refusal refusal = context.space().reserve(landing, bytes + copyBytes);
        if (refusal == null) {
            landing.reservedBytes = bytes;
            landing.copyBytes = copyBytes;
        }
        return refusal;
    }

    private void makeFiles(LandingTransfer landing, VerifiedWriter assembly) {
        context.workers()
                .onNames(
                        () -> {
                            if (landing.hasFile()) {
                                context.files().create(assembly.file(), context.answers()::fileFailed);
                            }
                            return assembly;
                        },
                        (made, problem) -> {
                            if (made == null) {
                                refuse(landing, CallbackDispatcher.storageRefusal(problem));
                                landing.workEnded();
                            } else {
                                context.crashPoints().reached("landing.after-create");
                                journal.append(
                                        new LandingRecord.Opened(landing.manifest, landing.sinceMillis),
                                        () -> opened(landing, assembly));
                            }
                        });
    }

    private void opened(LandingTransfer landing, VerifiedWriter assembly) {
        landing.creating = false;
        assembly.ready();
        context.answers().answerAll(landing.openWaiters, landing.manifest);
        landing.workEnded();
    }

    private void refuse(LandingTransfer landing, Refusal refusal) {
        landing.creating = false;
        landing.releaseSpace(context.ledger());
        register.remove(landing);
        VerifiedWriter assembly = landing.assembly;
        landing.assembly = null;
        if (assembly != null) {
            assembly.die(refusal);
        }
        context.answers().refuseAll(landing.openWaiters, refusal);
    }
}
