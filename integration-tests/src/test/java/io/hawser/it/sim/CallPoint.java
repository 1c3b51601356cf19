package io.hawser.it.sim;

/**
 * A changing call of a node's disk at which it dies or the disk fails, in a schedule of one transfer. It is the seed: so each can be run again.
 *
 * @param large whether the transfer has several fragments; otherwise it travels whole, in one record
 * @param node 0 the publisher, 1 the broker, 2 the consumer
 * @param call which one, counted from 1 over all lives of the node
 * @param way what happens at it
 */
record CallPoint(boolean large, int node, int call, Way way) {
    private static final int MAX_CALL = (1 << 14) - 1;

    /** What happens at a call. */
    enum Way {
        /** The process ends before it. */
        KILL(0),
        /** The machine loses its power before it. */
        POWER_CUT(1),
        /** The disk does not answer. */
        EIO(2),
        /** The disk is full. */
        ENOSPC(3),
        /** Half of it is written, and then the disk does not answer. */
        SHORT(4);

        private final int code;

        Way(int code) {
            this.code = code;
        }

        boolean isEnd() {
            return this == KILL || this == POWER_CUT;
        }

        private static Way of(int code) {
            for (Way way : values()) {
                if (way.code == code) {
                    return way;
                }
            }
            throw new IllegalArgumentException("way " + code);
        }
    }

    long toSeed() {
        return ScheduleKind.EVERY_CALL.firstSeed() + ((large ? 1 : 0) | way.code << 1 | node << 4) + ((long) call << 6);
    }

    static CallPoint ofSeed(long seed) {
        long bits = seed - ScheduleKind.EVERY_CALL.firstSeed();
        return new CallPoint(
                (bits & 1) == 1, (int) (bits >>> 4) & 3, (int) (bits >>> 6) & MAX_CALL, Way.of((int) (bits >>> 1) & 7));
    }
}
