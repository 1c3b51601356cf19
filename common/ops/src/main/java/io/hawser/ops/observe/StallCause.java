package io.hawser.ops.observe;

/**
 * Why an accepted transfer does not move, and what an operator does about it.
 *
 * <p>Thread: immutable.
 */
public enum StallCause {
    /** There is no session with the broker. */
    BROKER_AWAY("broker-away", "Start the broker or mend the network between; this node then goes on by itself"),
    /** The next store refuses it for want of space or because of a quota. */
    NO_SPACE(
            "no-space",
            "'hawser quotas' and 'hawser subscriptions list' show what takes the space at the broker, 'hawser status' asked of"
                    + " agent-b what takes it there"),
    /** The broker or the far end refuses it for now, for another reason. */
    REFUSED("refused", "Remove the cause that the reason names; it is tried again by itself"),
    /** No subscription of its topic exists. */
    UNCLAIMED(
            "unclaimed",
            "Start 'hawser agent-b --subscribe TOPIC'; if the topic is a mistake, 'hawser drop KEY' at the broker gives it up"),
    /** A subscription does not take what it is owed. */
    SUBSCRIPTION(
            "subscription",
            "Start its agent-b, or remove what the reason names. 'hawser drop KEY' gives up one transfer, 'hawser subscriptions remove"
                    + " NAME' all that it is owed"),
    /** A member of a group that alone may deliver is away. */
    MEMBER_AWAY(
            "member-away",
            "Start that member with its data directories; if they are gone for good, 'hawser subscriptions lost NAME MEMBER'"),
    /** An earlier transfer of the same path comes first. */
    PATH_ORDER("path-order", "'hawser status' shows what the earlier transfer of that path waits for"),
    /** It is complete at agent-b, whose target does not take it. */
    TARGET("target", "Remove the cause that the reason names; it is tried again by itself"),
    /** Another cause, which the reason names. */
    OTHER("other", "'hawser status' asked of this node shows what each waits for");

    private final String word;
    private final String remedy;

    StallCause(String word, String remedy) {
        this.word = word;
        this.remedy = remedy;
    }

    /** The value of the label {@code cause} in metrics. */
    public String word() {
        return word;
    }

    String remedy() {
        return remedy;
    }
}
