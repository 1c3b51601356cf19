package io.hawser.gsi.credential;

/** What an initiator delegates to the server. */
public enum Delegation {
    /** Nothing. */
    NONE,
    /** A limited proxy, which may move data and start no jobs; the usual one. */
    LIMITED,
    /** A proxy with all rights. */
    FULL
}
