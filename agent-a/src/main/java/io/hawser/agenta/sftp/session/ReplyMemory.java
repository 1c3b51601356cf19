package io.hawser.agenta.sftp.session;

/**
 * The memory that answers with data take from when they are asked for until they are sent, of all sessions. Each session may have one such
 * answer under way, however many there are.
 *
 * <p>Thread: the loop.
 */
public final class ReplyMemory {
    private static final long OF_SESSION_BYTES = 4 << 20;
    private static final long OF_ALL_BYTES = 16 << 20;

    private long taken;

    void take(int bytes) {
        taken += bytes;
    }

    void release(long bytes) {
        taken -= bytes;
    }

    /** Whether a session that has {@code own} bytes of it takes no more for now. */
    boolean isFull(long own) {
        return own >= OF_SESSION_BYTES || taken >= OF_ALL_BYTES;
    }
}
