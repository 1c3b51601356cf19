package io.hawser.store.landing;

import io.hawser.core.model.Commit;
import io.hawser.core.model.PathOverlap;
import io.hawser.core.model.Printable;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dead-letter list: transfers whose deadline passed, or that the target refuses. They stay, durable and whole, until the operator has
 * them tried again or drops them. A DEAD receipt says so to the publisher; only a drop makes a FAILED one.
 *
 * <p>Order by path: a dead letter holds up no other, so a later transfer of the same path is delivered. That is written down with
 * the letter; it is then tried again only if it is named, never with all others, since its older bytes would replace newer ones. Tried
 * again, it is ordered after what waits already.
 *
 * <p>Thread: the loop.
 */
final class DeadLetters {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetters.class);

    private final LandingContext context;
    private final LandingRegister register;
    private final LandingJournal journal;
    private final ReceiptSink receiptSink;

    DeadLetters(LandingContext context, LandingRegister register, LandingJournal journal, ReceiptSink receiptSink) {
        this.context = context;
        this.register = register;
        this.journal = journal;
        this.receiptSink = receiptSink;
    }

    /** Parks {@code landing}; its followers in the order by path may go when that is {@code writtenDown}. */
    void park(LandingTransfer landing, String reason, Runnable writtenDown) {
        Commit commit = landing.requiredCommit();
        DeadLetter letter = new DeadLetter(
                landing.key().toString(), landing.manifest.name(), commit.sizeBytes(), context.nowMillis(), reason, "");
        LOG.atError()
                .addKeyValue("transfer", landing.key())
                .addKeyValue("name", Printable.shortly(landing.manifest.name()))
                .addKeyValue("attempts", landing.attempts)
                .addKeyValue("reason", reason)
                .log("An object cannot be delivered and is on the dead-letter list; see 'hawser dead list'");
        landing.deadLetter = letter;
        landing.isUnverified = landing.hasFile(); // it may stay for days
        landing.lastReading = null;
        landing.become(LandingState.PARKED, reason);
        register.park(landing);
        journal.append(new LandingRecord.Parked(landing.manifest, commit, letter), () -> {
            writtenDown.run();
            Receipt dead = receipt(letter, landing, context.options().subscription());
            landing.landedReceipt = dead;
            receiptSink.receipt(dead);
        });
    }

    /** Tells the publisher that it goes no further by itself; a receipt of its end is still to come. */
    static Receipt receipt(DeadLetter letter, LandingTransfer landing, String subscription) {
        return new Receipt(landing.key(), subscription, ReceiptStatus.DEAD, letter.reason(), letter.sinceMillis());
    }

    /** {@code later} was delivered: dead letters that share a path with it are outdated. */
    void delivered(LandingTransfer later) {
        for (LandingTransfer landing : register.parked()) {
            DeadLetter letter = landing.deadLetter;
            if (letter != null && !letter.wasOvertaken() && sharePath(landing.paths(), later.paths())) {
                DeadLetter overtaken = letter.withOvertakenBy(later.key().toString());
                landing.deadLetter = overtaken;
                journal.append(
                        new LandingRecord.Parked(landing.manifest, landing.requiredCommit(), overtaken), () -> {});
            }
        }
    }

    private static boolean sharePath(List<String> some, List<String> others) {
        return some.stream().anyMatch(one -> others.stream().anyMatch(other -> PathOverlap.overlap(one, other)));
    }

    /** The list, oldest first. */
    List<DeadLetter> list() {
        List<DeadLetter> letters = new ArrayList<>();
        for (LandingTransfer landing : register.parked()) {
            DeadLetter letter = landing.deadLetter;
            if (letter != null) {
                letters.add(letter);
            }
        }
        return letters;
    }

    /** The dead letter of that key, or null. */
    @Nullable
    LandingTransfer find(TransferKey key) {
        LandingTransfer landing = register.landing(key);
        return landing != null && landing.state() == LandingState.PARKED ? landing : null;
    }
}
