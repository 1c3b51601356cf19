package io.hawser.ptcp.session;

import java.util.BitSet;

/**
 * The stream numbers that a session used. The dialler chooses them in ascending order. Each can join once, so that messages about an old
 * stream never meet a new one, and a recorded JOIN is useless.
 *
 * <p>Thread: the session's loop only.
 */
public final class StreamNumberRegistry {
    /** More streams than this in one session mean a broken peer. */
    public static final int LIMIT = 1 << 20;

    private final BitSet used = new BitSet();
    private int next;

    /** A number that was not used before (dialler). */
    public int allocate() {
        return next++;
    }

    /** Whether {@code stream} can still join (acceptor). */
    public boolean isFree(int stream) {
        return stream >= 0 && stream < LIMIT && !used.get(stream);
    }

    /** Marks a number as used (acceptor). */
    public void use(int stream) {
        used.set(stream);
    }
}
