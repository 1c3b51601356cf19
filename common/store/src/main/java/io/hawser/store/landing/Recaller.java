package io.hawser.store.landing;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.store.runtime.DiskExecutor.Lane;
import org.jspecify.annotations.Nullable;

/**
 * Cancels transfers that may be committed here. Each ends with a receipt: CANCELLED, or what had become of it before.
 *
 * <p>Thread: the loop.
 */
final class Recaller {
    private final LandingContext context;
    private final LandingRegister register;
    private final LandingJournal journal;
    private final DeliveryScheduler scheduler;
    private final OutcomeRecorder outcomes;
    private final Effects effects;

    /** What learns of a cancelled transfer outside the landing area. */
    record Effects(ArrivalNotifier arrivals, ReceiptSink receipts, DeliveryTarget target) {}

    Recaller(
            LandingContext context,
            LandingRegister register,
            LandingJournal journal,
            DeliveryScheduler scheduler,
            OutcomeRecorder outcomes,
            Effects effects) {
        this.context = context;
        this.register = register;
        this.journal = journal;
        this.scheduler = scheduler;
        this.outcomes = outcomes;
        this.effects = effects;
    }

    /** Cancels it as soon as nothing is being written for it. */
    void recall(TransferKey key, String reason) {
        LandingTransfer landing = register.landing(key);
        if (landing == null) {
            recallUnknown(key, reason);
            return;
        }
        VerifiedWriter assembly = landing.assembly;
        if (assembly != null && landing.commit == null) {
            landing.cancelled = true;
            assembly.die(new Refusal(ErrorCode.CANCELLED, "The transfer was cancelled: " + reason));
        }
        landing.whenSettled(() -> recallSettled(landing, reason));
    }

    /** Cancels it if it is whole here; {@code done} as at {@link LandingArea#cancelWhole}. */
    void recallWhole(TransferKey key, String reason, Outcome.Callback<Receipt> done) {
        LandingTransfer landing = register.landing(key);
        if (landing == null || !landing.isWhole()) {
            context.answers().refuse(done, new Refusal(ErrorCode.NOT_FOUND, whyNone(key, landing)));
            return;
        }
        landing.endWaiters.add(done);
        recallSettled(landing, reason);
    }

    private String whyNone(TransferKey key, @Nullable LandingTransfer landing) {
        if (landing != null) {
            return "transfer " + key + " is not complete here: cancel it at the broker or at its publisher";
        }
        return register.isFinished(key)
                ? "transfer " + key + " has ended here"
                : "there is no transfer " + key + " here; 'hawser status' shows those that there are";
    }

    private void recallSettled(LandingTransfer landing, String reason) {
        if (!register.contains(landing)) {
            recallUnknown(landing.key(), reason);
        } else if (!landing.isCommitted()) {
            register.remove(landing);
            landing.releaseSpace(context.ledger());
            VerifiedWriter assembly = landing.assembly;
            effects.arrivals().gone(landing);
            endUncommitted(landing.key(), reason, () -> context.tidy(() -> context.discard(landing, assembly)));
        } else if (landing.state() == LandingState.VERIFIED) {
            landing.recalled = reason;
            scheduler.recall(landing);
            abandonIfEnded(landing);
        } else if (landing.state() == LandingState.PARKED) {
            landing.deadLetter = null;
            outcomes.onRecalled(landing, reason, () -> {});
            abandonIfEnded(landing);
        }
    }

    private void recallUnknown(TransferKey key, String reason) {
        Receipt last = register.lastWord(key, context.options().subscription());
        if (last == null) {
            endUncommitted(key, reason, () -> {});
        } else {
            effects.receipts().receipt(last);
        }
    }

    /** From now on nothing of it is taken; that is durable when the receipt leaves. */
    private void endUncommitted(TransferKey key, String reason, Runnable durable) {
        long now = context.nowMillis();
        Receipt receipt = new Receipt(key, context.options().subscription(), ReceiptStatus.CANCELLED, reason, now);
        register.tombstones().add(key, Tombstones.End.CANCELLED, now);
        journal.append(new LandingRecord.Ended(receipt), () -> {
            register.endUncommitted(receipt);
            effects.receipts().receipt(receipt);
            durable.run();
        });
    }

    private void abandonIfEnded(LandingTransfer landing) {
        if (landing.state() == LandingState.FAILED) {
            VerifiedObject object = new VerifiedObject(
                    landing.manifest, landing.requiredCommit(), context.files().path(landing.key()), true);
            context.workers().execute(Lane.NAMESPACE, () -> effects.target().abandon(object));
        }
    }
}
