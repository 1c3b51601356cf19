package io.hawser.it.sim;

import org.jspecify.annotations.Nullable;

/**
 * A crash at a chosen step of a small schedule, and perhaps a second one some steps behind it. They are the seed: so each can be run again.
 *
 * @param step after which step the node dies; 0 for none
 * @param node 0 the publisher, 1 the broker, 2 the consumer
 * @param survival what is left of what was not forced
 * @param second the next crash, its steps counted from this one
 */
record CrashPoint(
        int step, int node, Survival survival, @Nullable CrashPoint second) {
    static final int NODES = 3;
    private static final int BITS_OF_ONE = 18;
    private static final int MAX_STEP = (1 << 14) - 1;

    /** What is left of writes that were not forced. */
    enum Survival {
        /** All: the process was killed, the kernel lives. */
        ALL(0),
        /** None, some or all of it, as the disk draws: the power was cut. */
        SOME(1);

        private final int code;

        Survival(int code) {
            this.code = code;
        }

        static Survival of(int code) {
            return code == 0 ? ALL : SOME;
        }

        boolean isPowerCut() {
            return this != ALL;
        }
    }

    long toSeed() {
        CrashPoint other = second;
        return ScheduleKind.EVERY_STEP.firstSeed() + packed() + (other == null ? 0 : other.packed() << BITS_OF_ONE);
    }

    private long packed() {
        return survival.code + ((long) node << 2) + ((long) step << 4);
    }

    static CrashPoint ofSeed(long seed) {
        long bits = seed - ScheduleKind.EVERY_STEP.firstSeed();
        long behind = bits >>> BITS_OF_ONE;
        return unpacked(bits, behind == 0 ? null : unpacked(behind, null));
    }

    private static CrashPoint unpacked(long bits, @Nullable CrashPoint second) {
        return new CrashPoint(
                (int) (bits >>> 4) & MAX_STEP, (int) (bits >>> 2) & 3, Survival.of((int) bits & 3), second);
    }
}
