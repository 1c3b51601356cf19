package io.hawser.release.drill;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What became of each canary. Holds those that are on their way; of the others it keeps counts.
 *
 * <pre>
 *   SENDING ── accepted ──► AWAITED ──┬─► arrived, corrupt or lost
 *      ├─ refused                     │
 *      └─ no reply ───► UNANSWERED ───┴─► arrived or corrupt, or nothing: nobody had promised anything
 * </pre>
 *
 * <p>Thread: any.
 */
final class CanaryLedger {
    /** How far a canary that is on its way has come. */
    enum CanaryState {
        SENDING,
        AWAITED,
        UNANSWERED
    }

    /**
     * A canary on its way.
     *
     * @param transfer its transfer's id as agent-a said it, or empty
     * @param reported whether Hawser has said that it is delivered
     */
    record PendingCanary(Canary canary, CanaryState state, String transfer, boolean reported, long begunNanos) {
        String name() {
            return canary.name();
        }
    }

    private final Map<String, PendingCanary> open = new LinkedHashMap<>();
    private final List<String> corruptNames = new ArrayList<>();
    private final List<String> lostNames = new ArrayList<>();
    private final FaultLog faults;
    private final DrillViolations violations;
    private final long startNanos;
    private final List<Long> deliveryMillis = new ArrayList<>();
    private long sent;
    private long bytes;
    private long refused;
    private long unanswered;
    private long unansweredArrived;
    private long lastArrivalNanos;
    private long longestStallNanos;
    private long stallBeganNanos;

    CanaryLedger(FaultLog faults, DrillViolations violations, long startNanos) {
        this.faults = faults;
        this.violations = violations;
        this.startNanos = startNanos;
        lastArrivalNanos = startNanos;
        stallBeganNanos = startNanos;
    }

    synchronized void begun(Canary canary, long nowNanos) {
        open.put(canary.name(), new PendingCanary(canary, CanaryState.SENDING, "", false, nowNanos));
    }

    /** Nothing of it was sent: the next try has the same name. */
    synchronized void notBegun(String name) {
        open.remove(name);
    }

    /** Somebody has promised that it arrives. */
    synchronized void accepted(String name, String transfer) {
        PendingCanary pending = open.get(name);
        if (pending != null && pending.state != CanaryState.AWAITED) {
            sent++;
            bytes += pending.canary.sizeBytes();
            open.put(
                    name,
                    new PendingCanary(
                            pending.canary, CanaryState.AWAITED, transfer, pending.reported, pending.begunNanos));
        }
    }

    /** Its sender was cut off before it had a reply. */
    synchronized void unanswered(String name) {
        PendingCanary pending = open.get(name);
        if (pending != null) {
            unanswered++;
            open.put(name, new PendingCanary(pending.canary, CanaryState.UNANSWERED, "", false, pending.begunNanos));
        }
    }

    synchronized void refused(String name, String reply) {
        if (open.remove(name) != null) {
            refused++;
            violations.add(name + " was refused: " + reply);
        }
    }

    /** Hawser says that it is delivered. */
    synchronized void reported(String name) {
        PendingCanary pending = open.get(name);
        if (pending != null) {
            open.put(
                    name, new PendingCanary(pending.canary, pending.state, pending.transfer, true, pending.begunNanos));
        }
    }

    /** It is at the far end, byte for byte. */
    synchronized void arrived(String name, long nowNanos) {
        PendingCanary pending = open.remove(name);
        if (pending == null) {
            return;
        }
        noteArrival(nowNanos);
        if (pending.state == CanaryState.UNANSWERED) {
            unansweredArrived++;
            return;
        }
        deliveryMillis.add(TimeUnit.NANOSECONDS.toMillis(nowNanos - pending.begunNanos));
        faults.arrived(pending.canary.route(), pending.begunNanos, nowNanos);
    }

    synchronized void corrupt(String name, String why) {
        if (open.remove(name) != null) {
            corruptNames.add(name);
            violations.add(name + " " + why + "; it is left there to be looked at");
        }
    }

    synchronized void lost(String name, String why) {
        PendingCanary pending = open.get(name);
        if (pending != null && pending.state != CanaryState.UNANSWERED) {
            open.remove(name);
            lostNames.add(name);
            violations.add(name + " " + why);
        }
    }

    /** Gives up all that was promised and has not come. */
    synchronized void giveUp(String why, long nowNanos) {
        List<PendingCanary> overdue = open.values().stream()
                .filter(f -> f.state == CanaryState.AWAITED)
                .toList();
        if (!overdue.isEmpty()) {
            noteStall(nowNanos);
        }
        overdue.forEach(pending -> lost(pending.name(), why));
    }

    /** Those that may be at the far end, the oldest first. */
    synchronized List<PendingCanary> lookedFor() {
        return open.values().stream()
                .filter(f -> f.state != CanaryState.SENDING)
                .toList();
    }

    /** How many are being sent, or were promised and have not arrived. */
    synchronized int awaited() {
        return (int) open.values().stream()
                .filter(f -> f.state != CanaryState.UNANSWERED)
                .count();
    }

    /** All that are on their way, of whatever fate. */
    synchronized List<String> names() {
        return new ArrayList<>(open.keySet());
    }

    synchronized List<String> corruptNames() {
        return new ArrayList<>(corruptNames);
    }

    synchronized List<String> lostNames() {
        return new ArrayList<>(lostNames);
    }

    synchronized int delivered() {
        return deliveryMillis.size();
    }

    synchronized long sent() {
        return sent;
    }

    /** The counts; {@code duplicated} is known to others. */
    synchronized DrillReport.Canaries canaries(@Nullable Long duplicated) {
        List<Long> sorted = deliveryMillis.stream().sorted().toList();
        int delivered = sorted.size();
        return new DrillReport.Canaries(
                sent,
                bytes,
                delivered,
                lostNames.size(),
                duplicated,
                corruptNames.size(),
                refused,
                unanswered,
                unansweredArrived,
                awaited(),
                delivered == 0 ? 0 : sorted.get(0),
                delivered == 0 ? 0 : sorted.get(delivered / 2),
                delivered == 0 ? 0 : sorted.get(delivered - 1));
    }

    /** The longest time in which nothing arrived. */
    synchronized DrillReport.Stall stall() {
        return new DrillReport.Stall(
                TimeUnit.NANOSECONDS.toMillis(longestStallNanos),
                TimeUnit.NANOSECONDS.toMillis(stallBeganNanos - startNanos));
    }

    private void noteArrival(long nowNanos) {
        noteStall(nowNanos);
        lastArrivalNanos = nowNanos;
    }

    private void noteStall(long nowNanos) {
        if (nowNanos - lastArrivalNanos > longestStallNanos) {
            longestStallNanos = nowNanos - lastArrivalNanos;
            stallBeganNanos = lastArrivalNanos;
        }
    }
}
