package io.hawser.broker.relay;

import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.SubscriptionSpec;
import java.util.function.Consumer;

/**
 * Expires transfers that a subscription has not received within the deadline that its consumer set.
 *
 * <p>Thread: the relay's loop.
 */
final class DeadlineExpirer {
    private static final long MAX_INTERVAL_MILLIS = 10_000;
    private static final long MIN_INTERVAL_MILLIS = 100;
    /** It is looked so often within a deadline. */
    private static final int LOOKS = 10;

    private final RelayStore store;
    private final RelayLimits limits;
    private final Consumer<Receipt> giveUp;
    private long nextLookMillis;
    private boolean looking;

    /** @param giveUp a transfer is to be given up; the receipt says so. May come more than once for a transfer */
    DeadlineExpirer(RelayStore store, RelayLimits limits, Consumer<Receipt> giveUp) {
        this.store = store;
        this.limits = limits;
        this.giveUp = giveUp;
    }

    /** Time passes. */
    void tick(SubscriptionSpec spec, long nowMillis) {
        long millis = spec.terms().deadlineMillis();
        boolean clockWentBack = nextLookMillis - nowMillis > MAX_INTERVAL_MILLIS;
        if (millis == 0 || looking || (nowMillis < nextLookMillis && !clockWentBack)) {
            return;
        }
        nextLookMillis = nowMillis + Math.min(MAX_INTERVAL_MILLIS, Math.max(MIN_INTERVAL_MILLIS, millis / LOOKS));
        looking = true;
        String reason = "it had not reached subscription " + spec.name() + " within "
                + spec.terms().deadlineText() + " of its commit (the subscription's --deadline)";
        store.overdue(spec.name(), nowMillis - millis, limits.page(), outcome -> {
            looking = false;
            if (outcome.isRefused()) {
                return; // the store has failed; the node is stopping
            }
            outcome.get()
                    .forEach(key ->
                            giveUp.accept(new Receipt(key, spec.name(), ReceiptStatus.EXPIRED, reason, nowMillis)));
            nextLookMillis = outcome.get().size() < limits.page() ? nextLookMillis : 0; // there are more
        });
    }
}
