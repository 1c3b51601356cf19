package io.hawser.store.space;

/**
 * A role's words in the sentences about space that users read.
 *
 * <p>Thread: immutable.
 */
public enum SpaceRole {
    /** Agent-a and programs that send. */
    ORIGIN("the spool", "", "Try again later"),
    /** The broker. */
    RELAY("the broker", " (--head-room of the broker)", "It resumes by itself when space returns."),
    /** Agent-b and programs that receive. */
    END("the destination", " (--head-room of agent-b)", "It resumes by itself when there is room.");

    /** What has the space. */
    final String owner;
    /** How its head-room is changed. */
    final String headRoomFlag;
    /** What a sender that has to wait can expect. */
    final String hope;

    SpaceRole(String owner, String headRoomFlag, String hope) {
        this.owner = owner;
        this.headRoomFlag = headRoomFlag;
        this.hope = hope;
    }
}
