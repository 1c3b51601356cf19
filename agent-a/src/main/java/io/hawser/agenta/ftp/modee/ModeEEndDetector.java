package io.hawser.agenta.ftp.modee;

import io.hawser.core.ftp.MalformedBlockException;

/**
 * Knows when a MODE E transfer is complete: an EOF block has come, and as many EODs as it says (GFD.20 section 3.2). They come in any
 * order. Pure.
 *
 * <p>Thread: its owner's.
 */
final class ModeEEndDetector {
    private static final int UNKNOWN = -1;

    private final int maxConnections;
    private int expected = UNKNOWN;
    private int ended;

    /** Believes in at most {@code maxConnections} connections. */
    ModeEEndDetector(int maxConnections) {
        this.maxConnections = maxConnections;
    }

    void eof(long connections) throws MalformedBlockException {
        if (expected != UNKNOWN) {
            throw new MalformedBlockException("two EOF blocks");
        }
        if (connections < 1 || connections > maxConnections) {
            throw new MalformedBlockException("an EOF block that tells of " + Long.toUnsignedString(connections)
                    + " data connections; 1 to " + maxConnections + " are possible");
        }
        expected = (int) connections;
        compare();
    }

    void eod() throws MalformedBlockException {
        ended++;
        if (ended > maxConnections) {
            throw new MalformedBlockException("EOD on more than " + maxConnections + " data connections");
        }
        compare();
    }

    private void compare() throws MalformedBlockException {
        if (expected != UNKNOWN && ended > expected) {
            throw new MalformedBlockException(
                    "an EOF block that tells of " + expected + " data connections, and EOD on " + ended);
        }
    }

    /** Whether everything has come. */
    boolean isComplete() {
        return ended == expected;
    }

    /** What is missing, for a user. */
    String missing() {
        return expected == UNKNOWN
                ? "no EOF block came"
                : "EOD came on " + ended + " of " + expected + " data connections";
    }
}
