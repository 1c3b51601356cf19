package io.hawser.it.sim;

/**
 * Kinds of schedules, each in a range of seeds of its own: what a later kind draws does not change what earlier seeds mean, so seeds
 * that found bugs stay what they were.
 */
public enum ScheduleKind {
    /** Files, crashes and a bad network. */
    FILES(1),
    /** An operator removes subscriptions. */
    REMOVALS(1L << 40),
    /** The broker forgets what is incomplete for too long. */
    FORGETTING(1L << 41),
    /**
     * What edges do besides: names change behind uploads, files are read through the chain, removed consumers come back, wall clocks
     * jump.
     */
    EDGES(1L << 42),
    /**
     * Processes are stopped for a while, and wake up with sessions that others have given up, or with all that has come meanwhile still
     * to be read.
     */
    STOPS(1L << 44),
    /**
     * A node without rights sends what only others may send, and bits flip in what agents keep while they are down.
     */
    HOSTILE(1L << 45),
    /** Consumers change their priorities, rates and deadlines with each session, and transfers pass the deadlines. */
    TERMS(1L << 46),
    /** All consumers are members of one group. */
    GROUPS(1L << 47),
    /** Clients upload the same files again and again. */
    REPEATS(1L << 48),
    /** Transfers are cancelled, wherever they are; by turns alone, among members of a group, and of files that come again. */
    CANCELS(1L << 49),
    /** A small transfer with chosen crashes, see {@link CrashPoint}. */
    EVERY_STEP(1L << 50),
    /** One transfer, with a chosen call of a disk at which something happens, see {@link CallPoint}. */
    EVERY_CALL(1L << 51);

    private final long firstSeed;

    ScheduleKind(long firstSeed) {
        this.firstSeed = firstSeed;
    }

    /** Whether its seeds are drawn from; those of the others are made. */
    public boolean isRandom() {
        return this != EVERY_STEP && this != EVERY_CALL;
    }

    /** The first seed of this kind; the others follow. */
    public long firstSeed() {
        return firstSeed;
    }

    /** The kind that a seed is of. */
    public static ScheduleKind of(long seed) {
        ScheduleKind found = FILES;
        for (ScheduleKind kind : values()) {
            if (seed >= kind.firstSeed) {
                found = kind;
            }
        }
        return found;
    }
}
