package io.hawser.ops.observe;

/**
 * Why an accepted transfer makes no progress, and what an operator can do.
 */
public enum StallCause {
    /** There is no session with the broker. */
    BROKER_AWAY("broker-away", "Start the broker or repair the network; this node then resumes by itself"),
    /** The next store refuses it for lack of space or by a quota. */
    NO_SPACE(
            "no-space",
            "'hawser quotas' and 'hawser subscriptions list' show what uses the space at the broker, 'hawser status' at agent-b what"
                    + " uses it there"),
    /** The broker or the far end refuses it for now, for another reason. */
    REFUSED("refused", "Remove the cause that the reason names; Hawser retries by itself"),
    /** No subscription of its topic exists. */
    UNCLAIMED(
            "unclaimed",
            "Start 'hawser agent-b --subscribe TOPIC'; if the topic is a mistake, run 'hawser drop KEY' at the broker"),
    /** A subscription's consumer is away or takes nothing. */
    SUBSCRIPTION(
            "subscription",
            "Start its agent-b, or remove the cause that the reason names. 'hawser drop KEY' gives up one transfer, 'hawser subscriptions"
                    + " remove NAME' all that it is owed"),
    /** The member of a group that alone may deliver it is away. */
    MEMBER_AWAY(
            "member-away",
            "Start that member with its data directories; if they are gone for good, 'hawser subscriptions lost NAME MEMBER'"),
    /** An earlier transfer of the same path comes first. */
    PATH_ORDER("path-order", "'hawser status' shows what the earlier transfer of that path waits for"),
    /** It is complete at agent-b, and the target does not accept it. */
    TARGET("target", "Remove the cause that the reason names; Hawser retries by itself"),
    /** Another cause, which the reason names. */
    OTHER("other", "'hawser status' at this node shows what each waits for");

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
