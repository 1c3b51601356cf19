package io.hawser.store.landing;

import io.hawser.core.hop.Refusal;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reserves disk space for the merged file of a patch until that file has its final name. A patch of known size holds it from
 * its beginning; one of unknown size, and each one after a restart, before the file is made.
 *
 * <p>Thread: the loop.
 */
final class MergedFileReservation {
    private final LandingContext context;

    MergedFileReservation(LandingContext context) {
        this.context = context;
    }

    /** Tells when the room is held: null, or why it is not. */
    void hold(LandingTransfer landing, long patchBytes, Consumer<@Nullable Refusal> done) {
        long more = PatchPlan.of(landing.manifest).copyBytes(patchBytes) - landing.copyBytes;
        if (more <= 0) {
            done.accept(null);
            return;
        }
        context.workers().onNames(() -> context.files().usableForCopy(landing.key()), (usable, failure) -> {
            done.accept(usable == null ? CallbackDispatcher.storageRefusal(failure) : hold(landing, more, usable));
        });
    }

    private @Nullable Refusal hold(LandingTransfer landing, long bytes, long usable) {
        if (usable == LandingFiles.COPY_IS_THERE) {
            return null;
        }
        context.ledger().measured(usable);
        Refusal refusal = context.ledger().reserve(landing.shortName(), bytes).refusal();
        if (refusal == null) {
            landing.copyBytes += bytes;
        }
        return refusal;
    }
}
