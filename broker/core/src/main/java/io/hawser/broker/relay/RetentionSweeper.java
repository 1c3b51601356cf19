package io.hawser.broker.relay;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.TransferKey;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The operator's retention rules: forgets transfers that stay incomplete for too long, and expires those without a subscription.
 *
 * <p>Thread: the relay's loop.
 */
final class RetentionSweeper {
    private static final long MAX_INTERVAL_MILLIS = 60_000;

    private final RelayStore store;
    private final RelayLimits limits;
    private final BiConsumer<TransferKey, Refusal> forget;
    private final Consumer<TransferKey> expires;
    private final Runnable receiptsMade;
    private long nextLookMillis;

    /**
     * @param forget what is here of a transfer is to be forgotten, and its publisher to be told why
     * @param expires a transfer that no subscription came for is about to expire
     * @param receiptsMade receipts have come into being in the store
     */
    RetentionSweeper(
            RelayStore store,
            RelayLimits limits,
            BiConsumer<TransferKey, Refusal> forget,
            Consumer<TransferKey> expires,
            Runnable receiptsMade) {
        this.expires = expires;
        this.store = store;
        this.limits = limits;
        this.forget = forget;
        this.receiptsMade = receiptsMade;
    }

    /** Time passes. */
    void tick(long nowMillis) {
        boolean clockWentBack = nextLookMillis - nowMillis > MAX_INTERVAL_MILLIS;
        if (nowMillis < nextLookMillis && !clockWentBack) {
            return;
        }
        nextLookMillis = nowMillis
                + Math.min(
                        MAX_INTERVAL_MILLIS, Math.min(limits.retainIncompleteMillis(), limits.retainUnclaimedMillis()));
        incomplete(nowMillis - limits.retainIncompleteMillis());
        if (limits.retainUnclaimedMillis() != RelayLimits.NO_LIMIT) {
            String reason = "no subscription came for it within " + RelayLimits.text(limits.retainUnclaimedMillis())
                    + " (the broker's --retain-unclaimed)";
            unclaimed(nowMillis - limits.retainUnclaimedMillis(), false, reason, nowMillis);
        }
        if (limits.retainUnclaimedMillis() > RelayLimits.RETAIN_REPLIES_MILLIS) {
            String reason = "it is a reply, and the node that asked did not come for it within "
                    + RelayLimits.text(RelayLimits.RETAIN_REPLIES_MILLIS);
            unclaimed(nowMillis - RelayLimits.RETAIN_REPLIES_MILLIS, true, reason, nowMillis);
        }
    }

    private void incomplete(long untouchedSinceMillis) {
        store.openSince(untouchedSinceMillis, limits.page(), outcome -> {
            if (!outcome.isRefused()) {
                Refusal why =
                        new Refusal(ErrorCode.NO_SPACE, "it was not completed in time, and its place was given up");
                outcome.get().forEach(key -> forget.accept(key, why));
            }
        });
    }

    private void unclaimed(long committedBeforeMillis, boolean onlyReplies, String reason, long nowMillis) {
        store.unclaimedSince(committedBeforeMillis, onlyReplies, limits.page(), outcome -> {
            List<TransferKey> keys = outcome.isRefused() ? List.of() : outcome.get();
            for (int i = 0; i < keys.size(); i++) {
                boolean last = i == keys.size() - 1;
                expires.accept(keys.get(i));
                store.append(new RelayRecord.Expired(keys.get(i), reason, nowMillis), appended -> {
                    if (last) {
                        receiptsMade.run();
                        nextLookMillis = keys.size() < limits.page() ? nextLookMillis : 0; // there are more
                    }
                });
            }
        });
    }
}
