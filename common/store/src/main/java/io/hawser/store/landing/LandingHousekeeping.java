package io.hawser.store.landing;

import io.hawser.core.model.Printable;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.time.ExpiryClock;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs periodic tasks of the landing area: announces waiting objects, and expires tombstones and incomplete transfers.
 *
 * <p>Thread: the loop.
 */
final class LandingHousekeeping {
    private static final Logger LOG = LoggerFactory.getLogger(LandingHousekeeping.class);
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final int TICKS_PER_SWEEP = 30;
    private static final int TICKS_PER_REMOVAL = 3_600;

    private final LandingContext context;
    private final LandingRegister register;
    private final LandingJournal journal;
    private final ReceiptSink receiptSink;
    private final ArrivalNotifier arrivals;
    private final ExpiryClock expiry;
    private long ticks;

    LandingHousekeeping(
            LandingContext context,
            LandingRegister register,
            LandingJournal journal,
            ReceiptSink receiptSink,
            ArrivalNotifier arrivals) {
        this.context = context;
        this.register = register;
        this.journal = journal;
        this.receiptSink = receiptSink;
        this.arrivals = arrivals;
        this.expiry = new ExpiryClock(context::nowMillis, context.runtime()::steadyMillis);
    }

    void start() {
        sweep();
        context.workers().postAfter(TICK, this::tick);
    }

    private void tick() {
        ticks++;
        if (context.answers().failure() == null) {
            announceWaiting();
            lookAtRoom();
            context.space().tick();
            if (ticks % TICKS_PER_SWEEP == 0) {
                sweep();
            }
            if (ticks % TICKS_PER_REMOVAL == 0) {
                long before = expiry.nowMillis()
                        - context.options().retention().incomplete().toMillis();
                context.tidy(() -> context.files().removeSetAside(before));
            }
        }
        context.workers().postAfter(TICK, this::tick);
    }

    /** Forgets tombstones that are too old or too many. */
    void expireTombstones() {
        register.tombstones().expire(expiry.nowMillis()).forEach(journal::forget);
    }

    /** A waiting transfer may be the only one that would have asked for space. */
    private void lookAtRoom() {
        context.workers().onNames(context.files()::usableSpaceBytes, (usable, failure) -> {
            if (usable != null) {
                context.ledger().measured(usable);
            }
        });
    }

    /** What its target lets wait has landed; the publisher may want to know that much. */
    private void announceWaiting() {
        long now = context.nowMillis();
        for (LandingTransfer landing : register.landings()) {
            boolean waits = landing.state() == LandingState.VERIFIED
                    && isNews(landing)
                    && landing.verifiedMillis + TICK.toMillis() <= now;
            if (waits) {
                Receipt landed = new Receipt(
                        landing.key(), context.options().subscription(), ReceiptStatus.LANDED, landing.problem, now);
                landing.landedReceipt = landed;
                receiptSink.receipt(landed);
            }
        }
    }

    /** Nothing was said of it, or another problem has come up since. */
    private static boolean isNews(LandingTransfer landing) {
        Receipt said = landing.landedReceipt;
        return said == null || (!landing.problem.isEmpty() && !said.reason().equals(landing.problem));
    }

    private void sweep() {
        expireTombstones();
        long touchedBefore =
                expiry.nowMillis() - context.options().retention().incomplete().toMillis();
        for (LandingTransfer landing : register.landings()) {
            boolean incomplete = landing.state() == LandingState.OPEN || landing.state() == LandingState.ABANDONED;
            if (incomplete && landing.touchedMillis <= touchedBefore && landing.isSettled()) {
                LOG.atInfo()
                        .addKeyValue("transfer", landing.key())
                        .addKeyValue("name", Printable.shortly(landing.manifest.name()))
                        .log("An incomplete transfer was heard of for the last time too long ago and is removed");
                drop(landing, "nothing was heard of it for too long", () -> {});
            }
        }
    }

    /** It stays known while its files are deleted; an OPEN in that time starts it again. */
    void drop(LandingTransfer landing, String why, Runnable dropped) {
        if (landing.state() == LandingState.OPEN) {
            landing.become(LandingState.ABANDONED, why);
        }
        VerifiedWriter assembly = landing.assembly;
        landing.assembly = null;
        arrivals.gone(landing);
        landing.releaseSpace(context.ledger());
        landing.workBegan();
        context.workers()
                .onNames(
                        () -> {
                            context.discard(landing, assembly);
                            return landing;
                        },
                        (removed, failure) -> {
                            if (failure == null && landing.openWaiters.isEmpty()) {
                                register.remove(landing);
                                journal.append(new LandingRecord.Dropped(landing.key()), () -> {});
                            }
                            landing.workEnded();
                            dropped.run();
                        });
    }
}
