package io.hawser.release.drill;

import java.io.IOException;
import java.util.Set;

/**
 * The far end, as the drill sees it.
 *
 * <p>Thread: one.
 */
interface FarEnd {
    /** What was found of a canary. */
    enum Outcome {
        /** Nothing yet. */
        WAITING,
        /** It is there, byte for byte. */
        WHOLE,
        /** Something else is there. */
        CORRUPT,
        /** It was said to be delivered, and is not there. */
        LOST
    }

    /**
     * What a look showed.
     *
     * @param why a phrase, for what is corrupt or lost
     */
    record Finding(Outcome outcome, String why) {
        static final Finding WAITING = new Finding(Outcome.WAITING, "");
        static final Finding WHOLE = new Finding(Outcome.WHOLE, "");

        static Finding compared(String complaint) {
            return complaint.isEmpty() ? WHOLE : new Finding(Outcome.CORRUPT, complaint);
        }

        static Finding lost(String why) {
            return new Finding(Outcome.LOST, why);
        }
    }

    /** Looks for a canary, and compares it if it is there. Throws if the far end cannot be asked now. */
    Finding look(CanaryLedger.PendingCanary pending) throws IOException, InterruptedException;

    /** The names that are there and begin with {@code prefix}. Throws if the far end cannot be asked now. */
    Set<String> names(String prefix) throws IOException;

    /** How long to wait between two rounds of looks. */
    long pauseMillis();

    default void close() {}
}
