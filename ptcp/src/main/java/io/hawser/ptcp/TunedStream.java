package io.hawser.ptcp;

import io.hawser.ptcp.tune.StreamMeasure;

/**
 * A stream as {@link SessionTuner} sees it.
 *
 * <p>Thread: the session's loop only.
 */
interface TunedStream {
    /** Its number. */
    int stream();

    /**
     * What the socket says; where it says nothing, what is known without it.
     *
     * @param heartbeatRttNanos the round trip that the heartbeat saw last, or -1
     */
    StreamMeasure measure(long heartbeatRttNanos);

    /** Adapts what waits in front of the socket, and its buffer, to what the socket said. */
    void adapt(StreamMeasure measure);

    /** Whether {@link #pace} has an effect. */
    boolean canPace();

    /** The socket sends no faster; 0 is no limit. */
    void pace(long bytesPerSecond);
}
