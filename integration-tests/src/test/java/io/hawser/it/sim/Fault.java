package io.hawser.it.sim;

/**
 * What can go wrong in a schedule. The first group is injected as a seed's mix says; the second group are situations that
 * come about by themselves and are counted, because a run that never met them would prove little.
 */
public enum Fault {
    SESSION_LOST(true),
    HALF_OPEN_SESSION(true),
    STREAM_LOST(true),
    STREAM_STALLED(true),
    BIT_FLIPPED(true),
    LATE_LEFTOVERS(true),
    BROKER_KILLED(true),
    BROKER_POWER_CUT(true),
    PUBLISHER_KILLED(true),
    PUBLISHER_POWER_CUT(true),
    CONSUMER_KILLED(true),
    CONSUMER_POWER_CUT(true),
    CRASH_IN_RECOVERY(true),
    DISK_FAILED_IN_RECOVERY(true),
    FORCE_FAILED(true),
    NO_SPACE(true),
    RECORD_DAMAGED(true),
    FILE_TAKEN_AWAY(true),
    UPLOAD_ABANDONED(true),
    UPLOAD_SUSPENDED(true),
    LATE_SUBSCRIPTION(true),
    UNCLAIMED_EXPIRED(true),

    INCOMPLETE_FORGOTTEN(ScheduleKind.FORGETTING),
    UNFORCED_WRITES_LOST(false),
    WRITE_TORN(false),
    POWER_CUT_AFTER_CUT_THROUGH(false),
    CRASH_BETWEEN_RENAME_AND_ACK(false),
    TAKEN_BETWEEN_RENAME_AND_ACK(false),
    RENAME_UNDONE(false),
    NAME_OVERWRITTEN(false),
    PACKET_BEFORE_OPEN(false),
    REPEATED_PACKET(false),
    MEMORY_SHORT(false),
    PARTIAL_GIVEN_UP(false),
    TAIL_SENT_AGAIN(false),
    STREAM_ENDED_BEFORE_ITS_SESSION(false),
    OLD_SESSION_FENCED(false),
    SUBSCRIPTION_REMOVED(ScheduleKind.REMOVALS),
    REMOVED_WITH_TRANSFERS_OWED(ScheduleKind.REMOVALS),
    REMOVED_BEFORE_ANY_PUBLISH(ScheduleKind.REMOVALS),
    BROKER_DIED_DURING_REMOVAL(ScheduleKind.REMOVALS),
    REMOVAL_REFUSED_WHILE_IN_USE(ScheduleKind.REMOVALS),
    LAST_COPY_FREED_BY_REMOVAL(ScheduleKind.REMOVALS),

    NODE_STOPPED(ScheduleKind.STOPS),
    GIVEN_UP_WHILE_STOPPED(ScheduleKind.STOPS),
    KILLED_WHILE_STOPPED(ScheduleKind.STOPS),
    SPOKE_INTO_A_DEAD_SESSION(ScheduleKind.STOPS),

    INTRUDER_SPOKE(ScheduleKind.HOSTILE),
    INTRUDER_REFUSED(ScheduleKind.HOSTILE),
    INTRUDER_THROWN_OUT(ScheduleKind.HOSTILE),
    EARLY_PACKET_OF_INTRUDER(ScheduleKind.HOSTILE),
    SPOOL_DAMAGED_WHILE_DOWN(ScheduleKind.HOSTILE),
    LANDING_DAMAGED_WHILE_DOWN(ScheduleKind.HOSTILE),

    TRANSFER_EXPIRED(ScheduleKind.TERMS),
    OVERDUE_AND_DELIVERED(ScheduleKind.TERMS),

    MOVED_TO_ANOTHER_MEMBER(ScheduleKind.GROUPS),

    FILE_CONFIRMED(ScheduleKind.REPEATS),
    CONFIRMATION_REFUSED(ScheduleKind.REPEATS),

    CANCELLED_BEFORE_THE_BROKER(ScheduleKind.CANCELS),
    CANCELLED_UNSENT(ScheduleKind.CANCELS),
    CANCELLED_BY_ITS_CONSUMER(ScheduleKind.CANCELS),
    CANCELLED_TOO_LATE(ScheduleKind.CANCELS),
    TRANSFER_HELD(ScheduleKind.CANCELS),

    FIRST_CRASH(ScheduleKind.EVERY_STEP),
    SECOND_CRASH_IN_RECOVERY(ScheduleKind.EVERY_STEP),
    SECOND_CRASH_BEHIND_RECOVERY(ScheduleKind.EVERY_STEP),

    DIED_AT_A_CALL(ScheduleKind.EVERY_CALL),
    CALL_FAILED(ScheduleKind.EVERY_CALL),

    WALL_CLOCK_JUMPED_FORWARD(ScheduleKind.EDGES),
    WALL_CLOCK_JUMPED_BACK(ScheduleKind.EDGES),
    NAME_CHANGE_BEHIND_AN_UPLOAD(ScheduleKind.EDGES),
    NAME_CHANGE_REPEATED(ScheduleKind.EDGES),
    CONSUMER_CAME_BACK(ScheduleKind.EDGES),
    CONSUMER_CAME_BACK_EMPTY(ScheduleKind.EDGES),
    QUOTA_REACHED(ScheduleKind.EDGES),
    FILE_READ(ScheduleKind.EDGES),
    FILE_CHANGED_WHILE_READ(ScheduleKind.EDGES),
    READ_OUTLIVED_A_SESSION(ScheduleKind.EDGES),
    READ_GIVEN_UP(ScheduleKind.EDGES),
    ANSWER_DAMAGED(ScheduleKind.EDGES),
    ANSWER_LOST_WITH_ITS_STREAM(ScheduleKind.EDGES);

    private final boolean injected;
    private final ScheduleKind kind;

    Fault(boolean injected) {
        this.injected = injected;
        this.kind = ScheduleKind.FILES;
    }

    Fault(ScheduleKind kind) {
        this.injected = false;
        this.kind = kind;
    }

    /** The kind of schedules that has to meet it: a run of that kind that never did is void. */
    public ScheduleKind kind() {
        return kind;
    }

    /** Whether the mix of every seed turns it on or off. */
    public boolean injected() {
        return injected;
    }
}
