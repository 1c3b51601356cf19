package io.hawser.common.testkit.sim;

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
    FORCE_FAILED(true),
    NO_SPACE(true),
    RECORD_DAMAGED(true),
    FILE_TAKEN_AWAY(true),
    UPLOAD_ABANDONED(true),
    UPLOAD_SUSPENDED(true),
    LATE_SUBSCRIPTION(true),
    UNCLAIMED_EXPIRED(true),

    /** Injected in a range of seeds of its own. */
    INCOMPLETE_FORGOTTEN(false),
    UNFORCED_WRITES_LOST(false),
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
    OLD_SESSION_FENCED(false),
    SUBSCRIPTION_REMOVED(false),
    REMOVED_WITH_TRANSFERS_OWED(false),
    REMOVED_BEFORE_ANY_PUBLISH(false),
    BROKER_DIED_DURING_REMOVAL(false),
    REMOVAL_REFUSED_WHILE_IN_USE(false),
    LAST_COPY_FREED_BY_REMOVAL(false);

    private final boolean injected;

    Fault(boolean injected) {
        this.injected = injected;
    }

    /** Whether it needs an operator who removes subscriptions, see {@link SimOperator}. */
    public boolean ofRemovals() {
        return compareTo(SUBSCRIPTION_REMOVED) >= 0;
    }

    /** Whether it comes about in a range of seeds that is made for it alone. */
    public boolean hasSeedsOfItsOwn() {
        return ofRemovals() || this == INCOMPLETE_FORGOTTEN;
    }

    /** Whether a seed's mix turns it on or off. */
    public boolean injected() {
        return injected;
    }
}
