package io.hawser.release.drill;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a drill has shown; its JSON is what {@code --json} prints. What nobody could tell is null.
 *
 * @param version of the Hawser that drilled, and its Java
 * @param custody what was promised of a canary that counts as sent
 * @param verdict how it ended
 * @param deployment what it was done to, as a phrase
 * @param resent what was sent again on each hop, called by its far node; empty if no admin page was known
 * @param lostBound95 with 95 % confidence the share of canaries that are lost is below it (3/n); null if some were
 * @param complaints what did not hold, as sentences
 */
record DrillReport(
        String version,
        String custody,
        Verdict verdict,
        String deployment,
        long seed,
        long millis,
        Canaries canaries,
        List<FaultLine> faults,
        Stall stall,
        Map<String, Hop> resent,
        @Nullable Double lostBound95,
        List<String> complaints) {
    /** FTP's 226 and the API's spooled() say the same: forced to the first node's disk, or further. */
    static final String SPOOLED = "spooled or further (forced to a disk)";

    /** How a drill ends. */
    enum Verdict {
        /** All that was promised. */
        HELD,
        /** Something did not hold. */
        FAILED,
        /** Ctrl-C; what was seen until then held, or did not. */
        INTERRUPTED
    }

    /**
     * Counts of canaries, and times from the beginning of the sending to the arrival.
     *
     * @param sent those that somebody has promised to deliver
     * @param duplicated those that came again after they were taken away; null if that was not looked for
     * @param unanswered those whose sender was cut off before a reply; they may arrive or not, but only whole
     * @param unansweredArrived of these, seen at the far end
     * @param open on their way when an interrupted drill ended
     */
    record Canaries(
            long sent,
            long bytes,
            long delivered,
            long lost,
            @Nullable Long duplicated,
            long corrupt,
            long refused,
            long unanswered,
            long unansweredArrived,
            long open,
            long fastestMillis,
            long medianMillis,
            long slowestMillis) {}

    /**
     * One fault.
     *
     * @param atMillis since the beginning
     * @param readyMillis from the restart until the node said that it was ready
     * @param nextMillis from the restart, or from SIGCONT, until a canary arrived that was begun after the fault and went through the node
     * @param resentBytes sent again on the node's hops until the next fault
     * @param boundBytes the credit of these hops
     */
    record FaultLine(
            int number,
            long atMillis,
            String kind,
            String node,
            @Nullable Long readyMillis,
            @Nullable Long nextMillis,
            @Nullable Long resentBytes,
            @Nullable Long boundBytes) {}

    /** The longest time in which no canary arrived, and when it began. */
    record Stall(long millis, long atMillis) {}

    /**
     * One hop.
     *
     * @param resentBytes sent again in all
     * @param creditBytes the bound for one fault
     * @param faults that befell either end
     */
    record Hop(long resentBytes, long creditBytes, int faults) {
        boolean holds() {
            return resentBytes <= creditBytes * faults;
        }

        long boundBytes() {
            return creditBytes * faults;
        }
    }
}
