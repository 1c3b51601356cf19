package io.hawser.client;

import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Manifest;
import io.hawser.store.landing.DeliveryOutcome;
import io.hawser.store.landing.DeliveryTarget;
import io.hawser.store.landing.VerifiedObject;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes objects on to a target until so many files have come to an end, and tells of each. Later ones stay in the landing area, for the
 * next receiver of the subscription.
 *
 * @param left how many more files may be passed on
 * @param settled what has come to its end and has no receipt yet
 */
record LimitedTarget(DeliveryTarget target, AtomicLong left, AtomicInteger settled, Consumer<ReceivedFile> listener)
        implements DeliveryTarget {
    @Override
    public @Nullable Refusal check(Manifest manifest) {
        return target.check(manifest);
    }

    @Override
    public boolean takesFile() {
        return target.takesFile();
    }

    @Override
    public void deliver(List<VerifiedObject> objects, Consumer<DeliveryOutcome> results) {
        int count = 0;
        while (count < objects.size() && take(objects.get(count))) {
            count++;
        }
        if (count > 0) {
            target.deliver(objects.subList(0, count), outcome -> {
                if (isFinal(outcome)) {
                    settled.incrementAndGet();
                }
                results.accept(outcome);
                ended(outcome);
            });
        }
    }

    private boolean take(VerifiedObject object) {
        long cost = cost(object);
        return left.getAndUpdate(now -> now > 0 ? now - cost : 0) > 0;
    }

    /** Changes of names are not counted. */
    private static long cost(VerifiedObject object) {
        return ObjectKind.of(object.manifest().kind()).hasBytes() ? 1 : 0;
    }

    private static boolean comesAgain(DeliveryOutcome outcome) {
        return outcome instanceof DeliveryOutcome.Later || outcome instanceof DeliveryOutcome.Unsure;
    }

    /** Whether a final receipt follows. */
    private static boolean isFinal(DeliveryOutcome outcome) {
        return !comesAgain(outcome) && !(outcome instanceof DeliveryOutcome.Refused);
    }

    private void ended(DeliveryOutcome outcome) {
        if (comesAgain(outcome)) {
            left.addAndGet(cost(outcome.object())); // it comes again
        } else if (outcome instanceof DeliveryOutcome.Refused refused) {
            tell(refused.object(), "on the dead-letter list: " + refused.reason());
        } else if (outcome instanceof DeliveryOutcome.Failed failed) {
            tell(failed.object(), failed.reason());
        } else {
            tell(outcome.object(), "");
        }
    }

    private void tell(VerifiedObject object, String problem) {
        listener.accept(new ReceivedFile(
                new TransferId(object.key()),
                object.manifest().name(),
                ObjectKind.of(object.manifest().kind()),
                object.commit().sizeBytes(),
                problem));
    }
}
