package io.hawser.store.landing;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Printable;
import io.hawser.store.storage.StorageException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Discards the fragments of uncommitted transfers whose landing file failed, or whose space others need. The transfers stay known, and
 * begin again from zero with their next OPEN; their senders have all of them.
 *
 * <p>Thread: the loop.
 */
final class Abandoner {
    private static final Logger LOG = LoggerFactory.getLogger(Abandoner.class);

    private final LandingContext context;
    private final LandingRegister register;
    private final ArrivalNotifier arrivals;

    Abandoner(LandingContext context, LandingRegister register, ArrivalNotifier arrivals) {
        this.context = context;
        this.register = register;
        this.arrivals = arrivals;
    }

    /** The landing file can no longer be trusted: what was durable in it is not. */
    void fileFailed(LandingTransfer landing, StorageException cause) {
        VerifiedWriter assembly = landing.assembly;
        if (assembly == null || landing.state() != LandingState.OPEN || !register.contains(landing)) {
            return;
        }
        context.answers().fileFailed(cause);
        LOG.atError()
                .addKeyValue("transfer", landing.key())
                .setCause(cause)
                .log("A landing file failed and is given up; its transfer starts again from zero");
        giveUp(landing, assembly, CallbackDispatcher.abandoned());
        landing.problem = String.valueOf(cause.getMessage());
    }

    /** The disk no longer holds what was durable of it; {@code why} says how that shows. */
    void lost(LandingTransfer landing, String why) {
        VerifiedWriter assembly = landing.assembly;
        if (assembly == null || landing.state() != LandingState.OPEN || !register.contains(landing)) {
            return;
        }
        LOG.atError()
                .addKeyValue("transfer", landing.key())
                .addKeyValue("name", Printable.shortly(landing.manifest.name()))
                .addKeyValue("reason", why)
                .log("What was received of an object is damaged; all of it is fetched again. Check the disk");
        giveUp(landing, assembly, CallbackDispatcher.abandoned());
        landing.problem = "Damaged on the disk; all of it is fetched again: " + why;
    }

    /** Others need the room that it takes. */
    void forOthers(LandingTransfer landing, Refusal refusal) {
        VerifiedWriter assembly = landing.assembly;
        if (assembly == null || landing.state() != LandingState.OPEN || refusal.code() != ErrorCode.NO_SPACE) {
            return;
        }
        LOG.atInfo()
                .addKeyValue("transfer", landing.key())
                .addKeyValue("name", Printable.shortly(landing.manifest.name()))
                .addKeyValue("bytes", landing.durableBytes())
                .addKeyValue("reason", refusal.detail())
                .log("What is here of an incomplete transfer is given up, so that another fits; it is sent again");
        giveUp(landing, assembly, refusal);
    }

    private void giveUp(LandingTransfer landing, VerifiedWriter assembly, Refusal refusal) {
        landing.become(LandingState.ABANDONED, refusal.detail());
        landing.problem = refusal.detail();
        landing.whyAbandoned = refusal;
        landing.assembly = null;
        landing.commit = null;
        arrivals.gone(landing);
        landing.releaseSpace(context.ledger());
        context.answers().refuseAll(landing.commitWaiters, refusal);
        landing.workBegan();
        assembly.die(refusal);
        assembly.whenIdle(() -> context.workers()
                .onNames(
                        () -> {
                            context.discard(landing, assembly);
                            return landing;
                        },
                        (removed, failure) -> landing.workEnded()));
    }
}
