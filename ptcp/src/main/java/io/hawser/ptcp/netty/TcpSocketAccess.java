package io.hawser.ptcp.netty;

import io.hawser.ptcp.tune.StreamAckProgress;
import io.hawser.ptcp.tune.StreamMeasure;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.channel.unix.RawUnixChannelOption;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads statistics of TCP sockets and sets their options (tcp(7), {@code linux/tcp.h}) through the epoll transport. On NIO, and for a closed socket, it reads and sets nothing and does not fail.
 *
 * <p>Thread: the channel's loop, or before the channel is connected.
 */
public final class TcpSocketAccess {
    private static final int SOL_SOCKET = 1;
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_INFO = 11;
    private static final int TCP_CONGESTION = 13;
    private static final int SO_MAX_PACING_RATE = 47;
    private static final int CONGESTION_NAME_BYTES = 16;

    /** As far as {@code struct tcp_info} is read. An older kernel gives less; the rest is zeros. */
    private static final int TCP_INFO_BYTES = 200;

    private static final int SEND_MSS_OFFSET = 16;
    private static final int UNACKED_SEGMENTS_OFFSET = 24;
    private static final int RTT_MICROS_OFFSET = 68;
    private static final int CONGESTION_WINDOW_OFFSET = 80;
    private static final int TOTAL_RESENT_OFFSET = 100;
    private static final int PACING_RATE_OFFSET = 104;
    private static final int BYTES_ACKED_OFFSET = 120;
    private static final int UNSENT_BYTES_OFFSET = 144;
    private static final int MIN_RTT_MICROS_OFFSET = 148;
    private static final int DATA_SEGMENTS_OUT_OFFSET = 156;
    private static final int BUSY_MICROS_OFFSET = 168;
    private static final int RECEIVE_WINDOW_LIMITED_OFFSET = 176;
    private static final int SEND_BUFFER_LIMITED_OFFSET = 184;
    private static final int DELIVERED_SEGMENTS_OFFSET = 192;
    private static final long UNSIGNED_INT = 0xFFFF_FFFFL;

    private static final ChannelOption<ByteBuffer> INFO =
            new RawUnixChannelOption("TCP_INFO", IPPROTO_TCP, TCP_INFO, TCP_INFO_BYTES);
    private static final ChannelOption<ByteBuffer> CONGESTION_NAME =
            new RawUnixChannelOption("TCP_CONGESTION", IPPROTO_TCP, TCP_CONGESTION, CONGESTION_NAME_BYTES);
    private static final ChannelOption<Integer> MAX_PACING_RATE =
            new IntegerUnixChannelOption("SO_MAX_PACING_RATE", SOL_SOCKET, SO_MAX_PACING_RATE);

    private TcpSocketAccess() {}

    /** Whether the transport supports this. */
    public static boolean isTunable(Channel channel) {
        return channel instanceof EpollSocketChannel;
    }

    /** Statistics of the sending side; null if not supported. */
    public static @Nullable StreamMeasure measure(Channel channel) {
        ByteBuffer info = get(channel, INFO);
        return info == null ? null : decode(info.order(ByteOrder.nativeOrder()));
    }

    /** Progress of the bytes in the socket; null if not supported. */
    public static @Nullable StreamAckProgress progress(Channel channel) {
        ByteBuffer info = get(channel, INFO);
        return info == null ? null : decodeProgress(info.order(ByteOrder.nativeOrder()));
    }

    static StreamAckProgress decodeProgress(ByteBuffer info) {
        boolean waits = info.getInt(UNACKED_SEGMENTS_OFFSET) != 0 || info.getInt(UNSENT_BYTES_OFFSET) != 0;
        long rttMicros = info.getInt(RTT_MICROS_OFFSET) & UNSIGNED_INT;
        return new StreamAckProgress(
                info.getLong(BYTES_ACKED_OFFSET),
                waits,
                rttMicros == 0 ? -1 : TimeUnit.MICROSECONDS.toNanos(rttMicros));
    }

    /** From {@code struct tcp_info}. */
    static StreamMeasure decode(ByteBuffer info) {
        long rttMicros = info.getInt(RTT_MICROS_OFFSET) & UNSIGNED_INT;
        long minRttMicros = info.getInt(MIN_RTT_MICROS_OFFSET) & UNSIGNED_INT;
        long windowSegments = info.getInt(CONGESTION_WINDOW_OFFSET) & UNSIGNED_INT;
        long pacing = info.getLong(PACING_RATE_OFFSET);
        long segmentBytes = info.getInt(SEND_MSS_OFFSET) & UNSIGNED_INT;
        long delivered = info.getInt(DELIVERED_SEGMENTS_OFFSET) & UNSIGNED_INT; // Linux 4.18
        return new StreamMeasure(
                new StreamMeasure.RoundTrip(
                        rttMicros == 0 ? -1 : TimeUnit.MICROSECONDS.toNanos(rttMicros),
                        // Before the first measurement the kernel reports the greatest number.
                        minRttMicros == 0 || minRttMicros == UNSIGNED_INT
                                ? -1
                                : TimeUnit.MICROSECONDS.toNanos(minRttMicros)),
                new StreamMeasure.Window(
                        windowSegments * segmentBytes,
                        Math.max(0, pacing), // unlimited is the greatest number, which is negative here
                        Math.max(0, info.getInt(UNSENT_BYTES_OFFSET))),
                new StreamMeasure.Segments(
                        delivered == 0 ? info.getLong(BYTES_ACKED_OFFSET) : delivered,
                        delivered == 0 ? 1 : segmentBytes,
                        info.getInt(DATA_SEGMENTS_OUT_OFFSET) & UNSIGNED_INT,
                        info.getInt(TOTAL_RESENT_OFFSET) & UNSIGNED_INT),
                new StreamMeasure.SendTime(
                        TimeUnit.MICROSECONDS.toNanos(info.getLong(BUSY_MICROS_OFFSET)),
                        TimeUnit.MICROSECONDS.toNanos(info.getLong(RECEIVE_WINDOW_LIMITED_OFFSET)
                                + info.getLong(SEND_BUFFER_LIMITED_OFFSET))));
    }

    /**
     * Chooses the congestion control.
     *
     * @return whether the kernel has it and allows it
     */
    public static boolean congestion(Channel channel, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
        return bytes.length > 0
                && bytes.length < CONGESTION_NAME_BYTES
                && set(
                        channel,
                        new RawUnixChannelOption("TCP_CONGESTION", IPPROTO_TCP, TCP_CONGESTION, bytes.length),
                        ByteBuffer.wrap(bytes));
    }

    /** The name of the congestion control; empty if not supported. */
    public static String congestion(Channel channel) {
        ByteBuffer name = get(channel, CONGESTION_NAME);
        return name == null
                ? ""
                : StandardCharsets.US_ASCII.decode(name).toString().replace("\0", "");
    }

    /** Limits the unsent bytes in the socket (TCP_NOTSENT_LOWAT). */
    public static void unsentLimit(Channel channel, int bytes) {
        boolean unused = set(channel, EpollChannelOption.TCP_NOTSENT_LOWAT, (long) bytes);
    }

    /** Limits the rate of the socket (SO_MAX_PACING_RATE); 0, or more than 2 GB/s, is no limit. */
    public static void pacingLimit(Channel channel, long bytesPerSecond) {
        int value = bytesPerSecond <= 0 || bytesPerSecond > Integer.MAX_VALUE ? -1 : (int) bytesPerSecond;
        boolean unused = set(channel, MAX_PACING_RATE, value);
    }

    /** Requests a send buffer; the kernel limits it, and doubles it for its own use. */
    public static void sendBuffer(Channel channel, int bytes) {
        boolean unused = set(channel, ChannelOption.SO_SNDBUF, bytes);
    }

    private static <T> @Nullable T get(Channel channel, ChannelOption<T> option) {
        if (!isTunable(channel)) {
            return null;
        }
        try {
            return channel.config().getOption(option);
        } catch (ChannelException closed) {
            return null;
        }
    }

    private static <T> boolean set(Channel channel, ChannelOption<T> option, T value) {
        if (!isTunable(channel)) {
            return false;
        }
        try {
            return channel.config().setOption(option, value);
        } catch (ChannelException refused) {
            return false;
        }
    }
}
