package io.hawser.ptcp;

import io.netty.handler.ssl.SslContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The options of sessions. Both sides have their own; where they differ the more cautious value applies.
 *
 * @param streams data channels that the dialler opens, 1 to 64; with self-tuning the most of them
 * @param heartbeatInterval how often a quiet communication channel says that it is alive
 * @param heartbeatTimeout after how long without a byte from the peer the session ends
 * @param connectTimeout how long making the session may take
 * @param ssl TLS for all channels, or null for clear text
 * @param tuning how this side sends
 * @param channels how a side that dials makes its connections
 */
public record PtcpOptions(
        int streams,
        Duration heartbeatInterval,
        Duration heartbeatTimeout,
        Duration connectTimeout,
        @Nullable SslContext ssl,
        PtcpTuning tuning,
        ChannelDialler channels) {
    public static final int MAX_STREAMS = 64;

    private static final int BEATS_PER_SILENCE = 4;
    private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(5);

    /** With a fixed number of streams and no limit. */
    public PtcpOptions(
            int streams,
            Duration heartbeatInterval,
            Duration heartbeatTimeout,
            Duration connectTimeout,
            @Nullable SslContext ssl) {
        this(
                streams,
                heartbeatInterval,
                heartbeatTimeout,
                connectTimeout,
                ssl,
                PtcpTuning.FIXED,
                ChannelDialler.DIRECT);
    }

    /** Four streams, a heartbeat every 5 s, 20 s of silence, clear text. */
    public static final PtcpOptions DEFAULT =
            new PtcpOptions(4, DEFAULT_INTERVAL, Duration.ofSeconds(20), Duration.ofSeconds(10), null);

    /** The same with another number of data channels. */
    public PtcpOptions withStreams(int count) {
        return new PtcpOptions(count, heartbeatInterval, heartbeatTimeout, connectTimeout, ssl, tuning, channels);
    }

    /** The same with another limit for silence, and a heartbeat that fits it: a quarter of it, at most every 5 s. */
    public PtcpOptions withSilence(Duration limit) {
        Duration quarter = limit.dividedBy(BEATS_PER_SILENCE);
        Duration interval = quarter.compareTo(DEFAULT_INTERVAL) < 0 ? quarter : DEFAULT_INTERVAL;
        return new PtcpOptions(streams, interval, limit, connectTimeout, ssl, tuning, channels);
    }

    /** The same with TLS. */
    public PtcpOptions withSsl(@Nullable SslContext context) {
        return new PtcpOptions(streams, heartbeatInterval, heartbeatTimeout, connectTimeout, context, tuning, channels);
    }

    /** The same with another way to send. */
    public PtcpOptions withTuning(PtcpTuning other) {
        return new PtcpOptions(streams, heartbeatInterval, heartbeatTimeout, connectTimeout, ssl, other, channels);
    }

    /** The same with another way to make connections. */
    public PtcpOptions withChannels(ChannelDialler dialler) {
        return new PtcpOptions(streams, heartbeatInterval, heartbeatTimeout, connectTimeout, ssl, tuning, dialler);
    }

    public PtcpOptions {
        if (streams < 1 || streams > MAX_STREAMS) {
            throw new IllegalArgumentException("a session has 1 to " + MAX_STREAMS + " streams, not " + streams);
        }
        requirePositive(heartbeatInterval, "heartbeat interval");
        requirePositive(heartbeatTimeout, "heartbeat timeout");
        requirePositive(connectTimeout, "connect timeout");
    }

    /** The same with another limit for the making of a session. */
    PtcpOptions withConnectTimeout(Duration limit) {
        return new PtcpOptions(streams, heartbeatInterval, heartbeatTimeout, limit, ssl, tuning, channels);
    }

    private static void requirePositive(Duration duration, String name) {
        if (duration.toMillis() <= 0) {
            throw new IllegalArgumentException("the " + name + " must be at least 1 ms, not " + duration);
        }
    }
}
