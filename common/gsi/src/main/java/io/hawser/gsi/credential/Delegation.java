package io.hawser.gsi.credential;

/** What an initiator gives to whom it logs in to. */
public enum Delegation {
    /** Nothing. */
    NONE,
    /** A proxy that may move data and start no jobs, which is the usual one. */
    LIMITED,
    /** A proxy that may do everything. */
    FULL
}
