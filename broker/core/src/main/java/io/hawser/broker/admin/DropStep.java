package io.hawser.broker.admin;

import io.hawser.broker.relay.DropResult;
import io.hawser.broker.relay.OperatorDrop;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.TransferKey;
import io.hawser.ops.steer.SteeringRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Drops one transfer: done when every subscription that was owed it has dropped it durably. Consumers that have a part of it are asked,
 * and have a short time to answer.
 *
 * <p>Thread: the loop.
 *
 * @param consumersTime for the answers of the consumers that were asked
 */
record DropStep(OperatorDrop drop, ScheduledExecutorService loop, Duration consumersTime)
        implements SteeringRun.Step<DropResult> {
    /** Shorter than a request waits. */
    static final Duration CONSUMERS_TIME = Duration.ofSeconds(2);

    @Override
    public void run(TransferKey key, Outcome.Callback<DropResult> done) {
        drop.drop(key, outcome -> {
            if (outcome.isRefused() || outcome.get().asked().isEmpty()) {
                done.accept(whole(outcome));
            } else {
                var unused = loop.schedule(
                        () -> done.accept(whole(outcome)), consumersTime.toMillis(), TimeUnit.MILLISECONDS);
            }
        });
    }

    /** Refused also if it is dropped for some alone. */
    private static Outcome<DropResult> whole(Outcome<DropResult> outcome) {
        if (outcome.isRefused()) {
            return outcome;
        }
        List<String> left = new ArrayList<>();
        if (!outcome.get().asked().isEmpty()) {
            left.add("asked " + String.join(", ", outcome.get().asked())
                    + ", which may have it, to drop it; no answer yet: 'hawser status' shows what becomes of it");
        }
        new TreeMap<>(outcome.get().kept())
                .forEach((name, why) -> left.add("not dropped for subscription " + name + ": " + why));
        return left.isEmpty() ? outcome : Outcome.refused(ErrorCode.NOT_ALLOWED, String.join("; ", left));
    }
}
