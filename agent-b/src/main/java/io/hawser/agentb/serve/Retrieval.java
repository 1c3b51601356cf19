package io.hawser.agentb.serve;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A RETR that has begun: the bytes of a file from some place on, in order.
 *
 * <p>Thread: one at a time.
 */
interface Retrieval {
    /**
     * Moves what comes next to {@code into}: one byte at least.
     *
     * @param most how many at most; 1 or more
     * @throws NotServedException if the server ends the file here
     * @throws java.net.SocketTimeoutException if nothing comes
     */
    void take(ByteBuffer into, int most) throws IOException;

    /** The last byte was taken: waits a moment for the server to say so too. Throws if it does not; its session is of no use then. */
    void end() throws IOException;
}
