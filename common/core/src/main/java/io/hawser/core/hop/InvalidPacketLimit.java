package io.hawser.core.hop;

/**
 * Counts a sender's invalid packets: damaged ones, and ones of transfers that it never announced. A wire damages few packets; a
 * sender that exceeds {@value #MAX_FAULTS_PER_MINUTE} in a minute loses its session.
 *
 * <p>Thread: the receiver's loop.
 */
final class InvalidPacketLimit {
    static final int MAX_FAULTS_PER_MINUTE = 64;

    private static final int TICKS_PER_MINUTE = 600;

    private int faults;
    private int ticks;

    /** One more; whether this one exceeds the budget. */
    boolean isExceededByOneMore() {
        return ++faults == MAX_FAULTS_PER_MINUTE + 1;
    }

    /** 100 ms have passed. */
    void tick() {
        if (++ticks >= TICKS_PER_MINUTE) {
            ticks = 0;
            faults = 0;
        }
    }
}
