package io.hawser.store.landing;

import io.hawser.core.meter.TransferCounts;
import io.hawser.core.model.Printable;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.store.storage.StorageException;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down how publications ended, and sends the receipt when that is durable. Each {@code writtenDown} is run when the end is
 * durable: what follows on the same path follows only then, since a start that does not know of the end publishes the object again.
 *
 * <p>Thread: the loop.
 */
final class OutcomeRecorder {
    private static final Logger LOG = LoggerFactory.getLogger(OutcomeRecorder.class);

    private final LandingContext context;
    private final LandingRegister register;
    private final LandingJournal journal;
    private final boolean targetTakesFile;
    private final ReceiptSink receiptSink;
    private final DeadLetters deadLetters;
    private final Consumer<StorageException> fatal;
    private final List<String> self;
    private final TransferCounts counts = new TransferCounts();
    private long delivered;
    private long failed;

    OutcomeRecorder(
            LandingContext context,
            LandingRegister register,
            LandingJournal journal,
            boolean targetTakesFile,
            ReceiptSink receiptSink,
            DeadLetters deadLetters,
            Consumer<StorageException> fatal) {
        this.context = context;
        this.register = register;
        this.journal = journal;
        this.targetTakesFile = targetTakesFile;
        this.receiptSink = receiptSink;
        this.deadLetters = deadLetters;
        this.fatal = fatal;
        this.self = List.of(context.options().subscription());
    }

    /** Transfers delivered since the start. */
    long delivered() {
        return delivered;
    }

    /** Transfers that failed since the start. */
    long failed() {
        return failed;
    }

    /** Counts by topic what was delivered and what was not, since the start. */
    TransferCounts counts() {
        return counts;
    }

    void onDelivered(LandingTransfer landing, Runnable writtenDown) {
        delivered++;
        deadLetters.delivered(landing);
        context.crashPoints().reached("landing.before-delivered");
        end(landing, ReceiptStatus.DELIVERED, "", () -> {
            writtenDown.run();
            if (!targetTakesFile && landing.hasFile()) {
                context.tidy(() -> context.files().remove(landing.key()));
            }
        });
    }

    void onFailed(LandingTransfer landing, String reason, Runnable writtenDown) {
        landing.become(LandingState.FAILED, reason);
        drop(landing, reason, writtenDown);
    }

    /** It is cancelled before it was delivered: its bytes go. */
    void onRecalled(LandingTransfer landing, String reason, Runnable writtenDown) {
        landing.become(LandingState.FAILED, reason);
        landing.problem = reason;
        LOG.atInfo()
                .addKeyValue("transfer", landing.key())
                .addKeyValue("name", Printable.shortly(landing.manifest.name()))
                .addKeyValue("reason", reason)
                .log("A transfer was cancelled before it was delivered");
        end(landing, ReceiptStatus.CANCELLED, reason, () -> {
            writtenDown.run();
            if (landing.hasFile()) {
                context.tidy(() -> context.files().remove(landing.key()));
            }
        });
    }

    /** {@code landing} is {@code FAILED}. */
    void onDropped(LandingTransfer landing, String reason, Runnable writtenDown) {
        drop(landing, reason, writtenDown);
    }

    private void drop(LandingTransfer landing, String reason, Runnable writtenDown) {
        failed++;
        boolean isOperation = !landing.manifest.kind().hasBytes();
        (isOperation ? LOG.atWarn() : LOG.atError())
                .addKeyValue("transfer", landing.key())
                .addKeyValue("name", Printable.shortly(landing.manifest.name()))
                .addKeyValue("reason", reason)
                .log(
                        isOperation
                                ? "What was asked of a name cannot be done"
                                : "An object cannot be delivered; its bytes are set aside in the landing directory");
        long now = context.nowMillis();
        end(landing, ReceiptStatus.FAILED, reason, () -> {
            writtenDown.run();
            if (landing.hasFile()) {
                context.tidy(() -> context.files().setAside(landing.key(), now));
            }
        });
    }

    /** It was tried in vain until the deadline, or the target refuses it until a person helps. */
    void onGivenUp(LandingTransfer landing, String reason, Runnable writtenDown) {
        deadLetters.park(landing, reason, () -> {
            counts.receipt(landing.manifest.topic(), ReceiptStatus.DEAD);
            writtenDown.run();
        });
    }

    /** The target's disk can no longer be trusted. */
    void onTargetBroken(StorageException cause) {
        fatal.accept(cause);
    }

    private void end(LandingTransfer landing, ReceiptStatus status, String reason, Runnable then) {
        Receipt receipt =
                new Receipt(landing.key(), context.options().subscription(), status, reason, context.nowMillis());
        journal.append(new LandingRecord.Ended(receipt), () -> {
            context.crashPoints().reached("landing.after-delivered");
            counts.receipt(landing.manifest.topic(), status);
            if (status == ReceiptStatus.DELIVERED) {
                counts.completed(
                        landing.manifest.topic(), landing.requiredCommit().sizeBytes());
                landing.become(LandingState.DELIVERED, reason);
            }
            register.end(receipt);
            context.answers().answerAll(landing.commitWaiters, self);
            receiptSink.receipt(receipt);
            context.answers().answerAll(landing.endWaiters, receipt);
            then.run();
        });
    }
}
