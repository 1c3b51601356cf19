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
final class Ledger {
    /** How far a canary that is on its way has come. */
    enum Fate {
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
    record Flight(Canary canary, Fate fate, String transfer, boolean reported, long begunNanos) {
        String name() {
            return canary.name();
        }
    }

    private final Map<String, Flight> open = new LinkedHashMap<>();
    private final List<String> corruptNames = new ArrayList<>();
    private final List<String> lostNames = new ArrayList<>();
    private final FaultLog faults;
    private final DrillViolations complaints;
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

    Ledger(FaultLog faults, DrillViolations complaints, long startNanos) {
        this.faults = faults;
        this.complaints = complaints;
        this.startNanos = startNanos;
        lastArrivalNanos = startNanos;
        stallBeganNanos = startNanos;
    }

    synchronized void begun(Canary canary, long nowNanos) {
        open.put(canary.name(), new Flight(canary, Fate.SENDING, "", false, nowNanos));
    }

    /** Nothing of it was sent: the next try has the same name. */
    synchronized void notBegun(String name) {
        open.remove(name);
    }

    /** Somebody has promised that it arrives. */
    synchronized void accepted(String name, String transfer) {
        Flight flight = open.get(name);
        if (flight != null && flight.fate != Fate.AWAITED) {
            sent++;
            bytes += flight.canary.sizeBytes();
            open.put(name, new Flight(flight.canary, Fate.AWAITED, transfer, flight.reported, flight.begunNanos));
        }
    }

    /** Its sender was cut off before it had a reply. */
    synchronized void unanswered(String name) {
        Flight flight = open.get(name);
        if (flight != null) {
            unanswered++;
            open.put(name, new Flight(flight.canary, Fate.UNANSWERED, "", false, flight.begunNanos));
        }
    }

    synchronized void refused(String name, String reply) {
        if (open.remove(name) != null) {
            refused++;
            complaints.add(name + " was refused: " + reply);
        }
    }

    /** Hawser says that it is delivered. */
    synchronized void reported(String name) {
        Flight flight = open.get(name);
        if (flight != null) {
            open.put(name, new Flight(flight.canary, flight.fate, flight.transfer, true, flight.begunNanos));
        }
    }

    /** It is at the far end, byte for byte. */
    synchronized void arrived(String name, long nowNanos) {
        Flight flight = open.remove(name);
        if (flight == null) {
            return;
        }
        noteArrival(nowNanos);
        if (flight.fate == Fate.UNANSWERED) {
            unansweredArrived++;
            return;
        }
        deliveryMillis.add(TimeUnit.NANOSECONDS.toMillis(nowNanos - flight.begunNanos));
        faults.arrived(flight.canary.way(), flight.begunNanos, nowNanos);
    }

    synchronized void corrupt(String name, String why) {
        if (open.remove(name) != null) {
            corruptNames.add(name);
            complaints.add(name + " " + why + "; it is left there to be looked at");
        }
    }

    synchronized void lost(String name, String why) {
        Flight flight = open.get(name);
        if (flight != null && flight.fate != Fate.UNANSWERED) {
            open.remove(name);
            lostNames.add(name);
            complaints.add(name + " " + why);
        }
    }

    /** Gives up all that was promised and has not come. */
    synchronized void giveUp(String why, long nowNanos) {
        List<Flight> overdue =
                open.values().stream().filter(f -> f.fate == Fate.AWAITED).toList();
        if (!overdue.isEmpty()) {
            noteStall(nowNanos);
        }
        overdue.forEach(flight -> lost(flight.name(), why));
    }

    /** Those that may be at the far end, the oldest first. */
    synchronized List<Flight> lookedFor() {
        return open.values().stream().filter(f -> f.fate != Fate.SENDING).toList();
    }

    /** How many are being sent, or were promised and have not arrived. */
    synchronized int awaited() {
        return (int)
                open.values().stream().filter(f -> f.fate != Fate.UNANSWERED).count();
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
