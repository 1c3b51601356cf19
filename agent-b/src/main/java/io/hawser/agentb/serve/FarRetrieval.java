package io.hawser.agentb.serve;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A running RETR at a far server: its reader takes the bytes of a file from some offset on, in order.
 *
 * <p>Thread: one at a time.
 */
interface FarRetrieval {
    /**
     * Moves the next bytes to {@code into}: one at least.
     *
     * @param most the most bytes; 1 or more
     * @throws NotServedException if the server ends the file here
     * @throws java.net.SocketTimeoutException if nothing arrives in time
     */
    void take(ByteBuffer into, int most) throws IOException;

    /** After the last byte: waits briefly for the server to confirm the end. Throws if it does not; the session then cannot be used again. */
    void end() throws IOException;
}
