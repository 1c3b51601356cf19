package io.hawser.store.landing;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.TransferKey;
import org.jspecify.annotations.Nullable;

/**
 * Cancels transfers that are not committed. That an id was cancelled stays known, also of one that never came.
 *
 * <p>Thread: the loop.
 */
final class Canceller {
    private final LandingContext context;
    private final LandingRegister register;
    private final LandingJournal journal;
    private final LandingHousekeeping upkeep;
    private final ArrivalNotifier arrivals;
    private final CallbackDispatcher answers;

    Canceller(
            LandingContext context,
            LandingRegister register,
            LandingJournal journal,
            LandingHousekeeping upkeep,
            ArrivalNotifier arrivals) {
        this.context = context;
        this.register = register;
        this.journal = journal;
        this.upkeep = upkeep;
        this.arrivals = arrivals;
        this.answers = context.answers();
    }

    /** Cancels it as soon as nothing is being written for it, and answers when that is durable. */
    void cancel(TransferKey key, String reason, Outcome.Callback<TransferKey> done) {
        LandingTransfer landing = register.landing(key);
        if (HopMessage.Cancel.mayComeAgain(reason)) {
            handOver(key, landing, done);
            return;
        }
        if (landing == null) {
            cancelUnknown(key, done);
            return;
        }
        VerifiedWriter assembly = landing.assembly;
        if (assembly != null && landing.commit == null) {
            landing.cancelled = true;
            assembly.die(new Refusal(ErrorCode.CANCELLED, "The transfer was cancelled: " + reason));
        }
        landing.whenSettled(() -> cancelSettled(landing, done));
    }

    /** Another gets it: what is here of it goes. It may come again, so that no tombstone is set. */
    private void handOver(TransferKey key, @Nullable LandingTransfer landing, Outcome.Callback<TransferKey> done) {
        if (landing == null) {
            answerOfUnknown(key, done);
            return;
        }
        landing.whenSettled(() -> {
            if (!register.contains(landing)) {
                answerOfUnknown(key, done);
            } else if (landing.isCommitted() || landing.commit != null) {
                answers.refuse(done, committed());
            } else {
                upkeep.drop(landing, HopMessage.Cancel.HANDED_OVER, () -> answers.answer(done, () -> key));
            }
        });
    }

    private void answerOfUnknown(TransferKey key, Outcome.Callback<TransferKey> done) {
        if (register.isFinished(key)) {
            answers.refuse(done, committed());
        } else {
            answers.answer(done, () -> key);
        }
    }

    private void cancelSettled(LandingTransfer landing, Outcome.Callback<TransferKey> done) {
        TransferKey key = landing.key();
        if (!register.contains(landing)) {
            cancelUnknown(key, done);
        } else if (landing.isCommitted()) {
            answers.refuse(done, committed());
        } else {
            remove(landing, new LandingRecord.Cancelled(key, context.nowMillis()), done);
            register.tombstones().add(key, Tombstones.End.CANCELLED, context.nowMillis());
        }
    }

    private void cancelUnknown(TransferKey key, Outcome.Callback<TransferKey> done) {
        if (register.isFinished(key)) {
            answers.refuse(done, committed());
        } else if (register.isCancelled(key)) {
            answers.answer(done, () -> key);
        } else {
            long now = context.nowMillis();
            register.tombstones().add(key, Tombstones.End.CANCELLED, now);
            journal.append(new LandingRecord.Cancelled(key, now), () -> answers.answer(done, () -> key));
            upkeep.expireTombstones();
        }
    }

    private static Refusal committed() {
        return new Refusal(ErrorCode.ID_USED, "The transfer is committed and can no longer be cancelled.");
    }

    /** Forgets a transfer that nothing is being written for, and removes its files. */
    private void remove(LandingTransfer landing, LandingRecord record, Outcome.Callback<TransferKey> done) {
        register.remove(landing);
        landing.releaseSpace(context.ledger());
        VerifiedWriter assembly = landing.assembly;
        arrivals.gone(landing);
        journal.append(record, () -> {
            answers.answer(done, landing::key);
            context.tidy(() -> context.discard(landing, assembly));
        });
    }
}
