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
     * Measures the socket; without its statistics, what is known otherwise.
     *
     * @param heartbeatRttNanos the last round trip of the heartbeat, or -1
     */
    StreamMeasure measure(long heartbeatRttNanos);

    /** Adapts the bytes that wait for the socket, and its buffer, to a measurement. */
    void adapt(StreamMeasure measure);

    /** Whether {@link #pace} has an effect. */
    boolean canPace();

    /** Limits the rate of the socket, in bytes per second; 0 is no limit. */
    void pace(long bytesPerSecond);
}
