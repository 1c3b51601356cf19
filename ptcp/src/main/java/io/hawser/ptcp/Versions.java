package io.hawser.ptcp;

/** The protocol versions that this build speaks, and the choice of one. */
final class Versions {
    static final int LOWEST = 1;
    static final int HIGHEST = 1;

    private Versions() {}

    /** The highest version that both sides speak, or -1. */
    static int choose(int peerLowest, int peerHighest) {
        int highest = Math.min(HIGHEST, peerHighest);
        return highest >= Math.max(LOWEST, peerLowest) ? highest : -1;
    }
}
