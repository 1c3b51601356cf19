package io.hawser.send;

import io.hawser.client.HawserClient;
import io.hawser.core.model.CompletionRule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes of what the transfers of a run say how far the run is: sums, rates over the last seconds, and when it ends if it can be said.
 *
 * <p>Thread: main only.
 */
final class ProgressTracker {
    private static final long FAR_END_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** A rate that is at least this part of the limit is called limited by it. */
    private static final double NEAR_LIMIT = 0.7;

    private final HawserClient client;
    private final SendPlan plan;
    private final SendRun.Order order;
    private final FarEndTotals totals = new FarEndTotals();
    private final RateWindow brokerRate = new RateWindow();
    private final Map<String, RateWindow> farEndRates = new HashMap<>();
    private Map<String, FarEndTotals.Sum> farEnds = Map.of();
    private long farEndsNanos;
    private int known;
    private long earlierBytes;
    private long lastBrokered;

    ProgressTracker(HawserClient client, SendPlan plan, SendRun.Order order) {
        this.client = client;
        this.plan = plan;
        this.order = order;
        this.farEndsNanos = System.nanoTime();
    }

    /**
     * How far the run is.
     *
     * @param sendings what has been begun so far; the list only grows
     * @param problem what it waits for, or empty
     */
    SendProgress progress(List<SentObject> sendings, String problem, long nowNanos) {
        for (; known < sendings.size(); known++) {
            SentObject fresh = sendings.get(known);
            if (fresh.transfer() != null) {
                totals.add(fresh.transfer());
            } else if (fresh.wasFinishedEarlier()) {
                earlierBytes += fresh.entry().sizeBytes();
            }
        }
        long bytes = 0;
        long done = 0;
        for (SentObject sending : sendings) {
            bytes += sending.durableBytes();
            done += sending.done().isDone() ? 1 : 0;
        }
        brokerRate.add(nowNanos, bytes);
        lastBrokered = bytes;
        updateFarEnds(nowNanos);
        List<SendProgress.FarEndLeg> legs = legs();
        SendProgress.Leg brokered = new SendProgress.Leg(bytes, Math.round(brokerRate.bytesPerSecond()));
        long total = Math.max(plan.sizeBytes(), bytes);
        return new SendProgress(
                total,
                brokered,
                plan.entries().size(),
                done,
                legs,
                problem.isEmpty() && !plan.hasUnknownSize() ? secondsLeft(total, brokered, legs) : null,
                !problem.isEmpty(),
                because(problem, brokered));
    }

    private void updateFarEnds(long nowNanos) {
        if (nowNanos - farEndsNanos < FAR_END_NANOS) {
            return;
        }
        farEndsNanos = nowNanos;
        farEnds = totals.update(client);
        farEnds.forEach((name, sum) ->
                farEndRates.computeIfAbsent(name, unused -> new RateWindow()).add(nowNanos, sum.bytes()));
    }

    /** Whether there is more to come to the broker, and it comes. */
    boolean brokerMoves() {
        return lastBrokered < plan.sizeBytes() && brokerRate.bytesPerSecond() > 0;
    }

    /** Whether bytes have arrived at a far end in the last seconds. */
    boolean farEndsMove() {
        return farEnds.keySet().stream().anyMatch(name -> rate(name) > 0);
    }

    /** The far ends that are owed something and are not connected, by name. */
    List<String> away() {
        return farEnds.entrySet().stream()
                .filter(each -> each.getValue().away())
                .map(Map.Entry::getKey)
                .toList();
    }

    private long rate(String subscription) {
        RateWindow window = farEndRates.get(subscription);
        return window == null ? 0 : Math.round(window.bytesPerSecond());
    }

    private List<SendProgress.FarEndLeg> legs() {
        List<SendProgress.FarEndLeg> legs = new ArrayList<>();
        farEnds.forEach((name, sum) -> legs.add(new SendProgress.FarEndLeg(
                name, new SendProgress.Leg(sum.bytes(), rate(name)), sum.delivered(), sum.away())));
        return legs;
    }

    private @Nullable Long secondsLeft(long totalBytes, SendProgress.Leg brokered, List<SendProgress.FarEndLeg> legs) {
        if (!order.level().needsReceipts()) {
            return secondsLeft(totalBytes, brokered);
        }
        long owed = totalBytes - earlierBytes;
        List<Long> each = new ArrayList<>();
        for (SendProgress.FarEndLeg leg : legs) {
            Long seconds = leg.away() ? null : secondsLeft(owed, leg.leg());
            if (seconds != null) {
                each.add(seconds);
            }
        }
        int needed = order.rule().equals(CompletionRule.ALL)
                ? legs.size()
                : order.rule().count();
        each.sort(Comparator.naturalOrder());
        return needed == 0 || each.size() < needed ? null : each.get(needed - 1);
    }

    private static @Nullable Long secondsLeft(long totalBytes, SendProgress.Leg leg) {
        long left = Math.max(0, totalBytes - leg.bytes());
        if (left == 0) {
            return 0L;
        }
        return leg.bytesPerSecond() == 0 ? null : (left + leg.bytesPerSecond() - 1) / leg.bytesPerSecond();
    }

    private String because(String problem, SendProgress.Leg brokered) {
        if (!problem.isEmpty()) {
            return problem;
        }
        long limit = order.rateBytesPerSecond();
        boolean limited = limit > 0 && brokered.bytesPerSecond() >= NEAR_LIMIT * limit;
        return limited ? "limited by --rate" : "";
    }
}
