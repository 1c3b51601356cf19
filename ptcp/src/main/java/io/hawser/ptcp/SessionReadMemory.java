package io.hawser.ptcp;

import io.hawser.ptcp.netty.ReadMemory;

/**
 * The memory of a session for what has not arrived whole. Frames and headers have bounds of their own: a header may wait for a message.
 *
 * @param longFrames of the communication channel
 * @param longHeaders of the data channels
 */
record SessionReadMemory(ReadMemory longFrames, ReadMemory longHeaders) {
    /** Enough for 64 streams with a longest header each. */
    private static final int BYTES_OF_EACH_PEER = 5 << 20;

    /** Memory of which no peer has anything yet. */
    SessionReadMemory() {
        this(new ReadMemory(BYTES_OF_EACH_PEER), new ReadMemory(BYTES_OF_EACH_PEER));
    }
}
