package io.hawser.store.landing;

import io.hawser.core.model.Printable;
import io.hawser.core.model.RetryPolicy;
import io.hawser.core.model.TransferKind;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Hands verified objects to the target: in batches of what may go, in the order by path, again with back-off after a failure
 * that may pass. One object's failure holds back only those that share a path with it.
 *
 * <p>Thread: the loop.
 */
final class DeliveryScheduler {
    static final int MAX_BATCH = 256;
    private static final Duration SPACE_CHECK = Duration.ofSeconds(1);
    /**
     * For so long after it was verified or checked an object is offered as it is. Usually it is published within milliseconds, and reading it
     * once more would double what the disk has to read. What has waited longer, behind others of its path or in line, is checked.
     */
    private static final long FRESH_MILLIS = 5_000;

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryScheduler.class);

    private final LandingContext context;
    private final DeliveryTarget target;
    private final RestartVerifier verifier;
    private final LandingWorkers workers;
    private final LandingFiles files;
    private final RetryPolicy retry;
    private final OutcomeRecorder outcomes;
    private final PublicationOrder<LandingTransfer> order = new PublicationOrder<>();
    private final IdentityHashMap<VerifiedObject, LandingTransfer> offered = new IdentityHashMap<>();
    private final Lane lane = new Lane(MAX_BATCH);
    /** The file that a patch is for is copied, which may take minutes; no other object waits for that. */
    private final Lane patches = new Lane(1);

    private final MergedFileReservation copySpace;
    private final FailureLogThrottle reasons = new FailureLogThrottle();

    /** Those that wait for others of their path, or for their next attempt: the target has none of them. */
    private final Set<LandingTransfer> waiting = new HashSet<>();

    /** What may go, in batches one after the other. */
    private static final class Lane {
        private final int maxBatch;
        private final ArrayDeque<LandingTransfer> mayGo = new ArrayDeque<>();
        private boolean delivering;

        private Lane(int maxBatch) {
            this.maxBatch = maxBatch;
        }
    }

    /** {@code verifier} reads what an earlier run left complete, and what has waited, before it is published. */
    DeliveryScheduler(
            LandingContext context, DeliveryTarget target, RestartVerifier verifier, OutcomeRecorder outcomes) {
        this.context = context;
        this.target = target;
        this.verifier = verifier;
        this.workers = context.workers();
        this.files = context.files();
        this.retry = context.options().attempts().retry();
        this.outcomes = outcomes;
        this.copySpace = new MergedFileReservation(context);
    }

    /** Publishes {@code landing}, which is durably verified, after those that were added before and share a path with it. */
    void add(LandingTransfer landing) {
        waiting.add(landing);
        if (order.add(landing, landing.paths())) {
            mayGo(landing);
        }
    }

    /** The same with one that an earlier run has left. If it has to wait now, that run had to wait with it, too, and never tried it. */
    void addRecovered(LandingTransfer landing) {
        waiting.add(landing);
        if (order.add(landing, landing.paths())) {
            mayGo(landing);
        } else {
            landing.mayBeDone = false;
        }
    }

    /** Whether others of its path are published before {@code landing}. */
    boolean waitsForPath(LandingTransfer landing) {
        return order.mustWait(landing);
    }

    /**
     * Cancels {@code landing}, which was added before, with the reason that it has: at once if the target cannot have delivered it, else if its
     * attempt comes to nothing.
     */
    void recall(LandingTransfer landing) {
        if (!landing.mayBeDone && waiting.remove(landing)) {
            endRecalled(landing);
        }
    }

    private void endRecalled(LandingTransfer landing) {
        landing.releaseSpace(context.ledger());
        context.space().noLongerWaits(landing.key());
        outcomes.onRecalled(landing, landing.recalled, () -> release(landing));
    }

    private static boolean isRecalled(LandingTransfer landing) {
        return !landing.recalled.isEmpty() && !landing.mayBeDone;
    }

    private void mayGo(LandingTransfer landing) {
        if (!waiting.remove(landing)) {
            return; // it was cancelled meanwhile
        }
        if (isRecalled(landing)) {
            endRecalled(landing);
            return;
        }
        if (isFresh(landing)) {
            enter(landing);
        } else {
            verify(landing);
        }
    }

    private boolean isFresh(LandingTransfer landing) {
        long ageMillis = context.runtime().steadyMillis() - landing.checkedMillis;
        return !landing.isUnverified && (ageMillis <= FRESH_MILLIS || !landing.hasFile());
    }

    private void verify(LandingTransfer landing) {
        verifier.complete(
                landing,
                landing.requiredCommit(),
                problem -> onVerifiedAgain(landing, problem),
                reason -> retryLater(landing, reason));
    }

    private void onVerifiedAgain(LandingTransfer landing, String problem) {
        landing.isUnverified = false;
        landing.checkedMillis = context.runtime().steadyMillis();
        if (problem.isEmpty()) {
            enter(landing);
            return;
        }
        String reason = "damaged on the destination's disk after it was complete there: " + problem
                + ". It was not delivered; send it again.";
        landing.problem = reason;
        outcomes.onFailed(landing, reason, () -> release(landing));
    }

    private void enter(LandingTransfer landing) {
        Lane its = landing.manifest.kind() == TransferKind.PATCH ? patches : lane;
        its.mayGo.add(landing);
        pump(its);
    }

    private void pump(Lane its) {
        if (its.delivering) {
            return;
        }
        while (!its.mayGo.isEmpty() && !isFresh(its.mayGo.element())) {
            verify(its.mayGo.remove());
        }
        if (its.mayGo.isEmpty()) {
            return;
        }
        its.delivering = true;
        if (its == patches) {
            LandingTransfer next = its.mayGo.element();
            copySpace.hold(
                    next,
                    next.requiredCommit().sizeBytes(),
                    refusal -> onSpace(refusal == null ? "" : refusal.detail()));
        } else {
            workers.post(() -> deliver(its)); // in the next turn, so that what becomes durable together goes together
        }
    }

    /** A patch that finds no room is no failed attempt: it waits, and lets others try. */
    private void onSpace(String problem) {
        if (problem.isEmpty()) {
            deliver(patches);
            return;
        }
        LandingTransfer landing = patches.mayGo.remove();
        if (isRecalled(landing)) {
            patches.delivering = false;
            endRecalled(landing);
            pump(patches);
            return;
        }
        if (landing.problem.isEmpty()) {
            LOG.atWarn()
                    .addKeyValue("transfer", landing.key())
                    .addKeyValue("name", Printable.shortly(landing.manifest.name()))
                    .addKeyValue("reason", problem)
                    .log("A patch waits for room for the whole file that it makes");
        }
        landing.problem = problem;
        context.space()
                .refused(
                        landing,
                        PatchPlan.of(landing.manifest)
                                .copyBytes(landing.requiredCommit().sizeBytes()),
                        problem);
        patches.mayGo.add(landing);
        workers.postAfter(SPACE_CHECK, () -> {
            patches.delivering = false;
            pump(patches);
        });
    }

    private void deliver(Lane its) {
        List<VerifiedObject> batch = new ArrayList<>(Math.min(its.mayGo.size(), its.maxBatch));
        while (batch.size() < its.maxBatch && !its.mayGo.isEmpty()) {
            LandingTransfer landing = its.mayGo.remove();
            if (isRecalled(landing)) {
                endRecalled(landing);
                continue;
            }
            if (its != patches && !isFresh(landing)) { // it waited behind others
                verify(landing);
                continue;
            }
            VerifiedObject object = new VerifiedObject(
                    landing.manifest,
                    landing.requiredCommit(),
                    files.path(landing.key()),
                    landing.offeredBefore,
                    landing.mayBeDone);
            landing.offeredBefore = true;
            context.space().noLongerWaits(landing.key());
            offered.put(object, landing);
            batch.add(object);
        }
        if (batch.isEmpty()) {
            its.delivering = false;
            return;
        }
        Consumer<DeliveryOutcome> results = result -> workers.post(() -> onResult(result));
        workers.onNames(
                () -> {
                    target.deliver(batch, results);
                    return batch.size();
                },
                (count, failure) -> {
                    its.delivering = false;
                    if (failure != null) {
                        String reason = String.valueOf(failure.getMessage());
                        batch.forEach(object -> onResult(new DeliveryOutcome.Later(object, reason, true)));
                    }
                    pump(its);
                });
    }

    private void onResult(DeliveryOutcome result) {
        LandingTransfer landing = offered.remove(result.object());
        if (landing == null) {
            return; // told twice
        }
        landing.releaseSpace(context.ledger()); // if it is tried again, it is held again
        if (result instanceof DeliveryOutcome.Delivered delivered) {
            landing.problem = "";
            if (delivered.isDoubtful()) {
                verifier.foundDoubtful();
            }
            outcomes.onDelivered(landing, () -> release(landing));
        } else if (result instanceof DeliveryOutcome.Refused refused) {
            landing.problem = refused.reason();
            landing.mayBeDone = false;
            outcomes.onGivenUp(landing, refused.reason(), () -> release(landing));
        } else if (result instanceof DeliveryOutcome.Failed failed) {
            landing.problem = failed.reason();
            outcomes.onFailed(landing, failed.reason(), () -> release(landing));
        } else if (result instanceof DeliveryOutcome.Later later) {
            landing.mayBeDone = later.mayBeDone();
            landing.isUnverified = landing.hasFile();
            retryLater(landing, later.reason());
        } else {
            outcomes.onTargetBroken(((DeliveryOutcome.Unsure) result).cause()); // the last of a sealed set
        }
    }

    private void release(LandingTransfer landing) {
        order.remove(landing).forEach(this::mayGo);
    }

    private void retryLater(LandingTransfer landing, String reason) {
        if (isRecalled(landing)) {
            endRecalled(landing);
            return;
        }
        landing.attempts++;
        landing.problem = reason;
        long now = context.runtime().steadyMillis();
        if (landing.firstFailureMillis == 0) {
            landing.firstFailureMillis = now;
        }
        if (now - landing.firstFailureMillis
                >= context.options().attempts().deadline().toMillis()) {
            outcomes.onGivenUp(landing, reason, () -> release(landing));
            return;
        }
        if (!retry.allowsAfter(landing.attempts)) {
            outcomes.onFailed(
                    landing, "Given up after " + landing.attempts + " attempts: " + reason, () -> release(landing));
            return;
        }
        Duration delay =
                retry.delayAfter(landing.attempts, context.runtime().random().nextDouble());
        Level level = reasons.isNews(reason, context.runtime().nowNanos()) ? Level.WARN : Level.DEBUG;
        LOG.atLevel(level)
                .addKeyValue("transfer", landing.key())
                .addKeyValue("name", Printable.shortly(landing.manifest.name()))
                .addKeyValue("attempt", landing.attempts)
                .addKeyValue("retryMillis", delay.toMillis())
                .addKeyValue("reason", reason)
                .log(
                        "An object could not be delivered and will be tried again; others with the same reason are not told of for ten minutes");
        waiting.add(landing);
        workers.postAfter(delay, () -> mayGo(landing));
    }
}
