package io.hawser.ptcp;

import io.netty.handler.ssl.SslContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The options of sessions and sockets. Each side has its own; where they differ the more cautious value holds. Immutable; no method blocks. An argument outside its range is an {@link IllegalArgumentException}.
 *
 * @param streams data channels that the dialler opens, 1 to 64; with self-tuning at most
 * @param heartbeatInterval how often each side sends a heartbeat, at least 1 ms
 * @param heartbeatTimeout the session ends after this time without a byte from the peer, at least 1 ms
 * @param connectTimeout limit for opening a session, at least 1 ms
 * @param ssl TLS for all channels, or null for clear text
 * @param tuning how this side sends
 * @param channels how a dialler connects: directly or through a proxy
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

    /** These options with another number of data channels. */
    public PtcpOptions withStreams(int count) {
        return new PtcpOptions(count, heartbeatInterval, heartbeatTimeout, connectTimeout, ssl, tuning, channels);
    }

    /** These options with another {@link #heartbeatTimeout}, and an interval of a quarter of it, at most 5 s. */
    public PtcpOptions withSilence(Duration limit) {
        Duration quarter = limit.dividedBy(BEATS_PER_SILENCE);
        Duration interval = quarter.compareTo(DEFAULT_INTERVAL) < 0 ? quarter : DEFAULT_INTERVAL;
        return new PtcpOptions(streams, interval, limit, connectTimeout, ssl, tuning, channels);
    }

    /** These options with TLS, or null for clear text. */
    public PtcpOptions withSsl(@Nullable SslContext context) {
        return new PtcpOptions(streams, heartbeatInterval, heartbeatTimeout, connectTimeout, context, tuning, channels);
    }

    /** These options with another tuning. */
    public PtcpOptions withTuning(PtcpTuning other) {
        return new PtcpOptions(streams, heartbeatInterval, heartbeatTimeout, connectTimeout, ssl, other, channels);
    }

    /** These options with another way to connect. */
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

    /** These options with another {@link #connectTimeout}. */
    PtcpOptions withConnectTimeout(Duration limit) {
        return new PtcpOptions(streams, heartbeatInterval, heartbeatTimeout, limit, ssl, tuning, channels);
    }

    private static void requirePositive(Duration duration, String name) {
        if (duration.toMillis() <= 0) {
            throw new IllegalArgumentException("the " + name + " must be at least 1 ms, not " + duration);
        }
    }
}
