package io.hawser.agenta.ftp.control;

import io.netty.channel.Channel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;
import java.util.concurrent.TimeUnit;

/**
 * The round-trip time of a control connection: the kernel's measurement where it can be asked for (epoll), otherwise the
 * shortest time from a reply to the next command, which contains what the client needs to think.
 *
 * <p>Thread: the loop.
 */
final class RoundTrip {
    private final Channel channel;
    private long repliedNanos;
    private long shortestAnswerNanos = Long.MAX_VALUE;

    RoundTrip(Channel channel) {
        this.channel = channel;
    }

    void replied(long nowNanos) {
        repliedNanos = nowNanos;
    }

    /** Bytes came. A client that sends ahead of the replies makes the time too short. */
    void heard(long nowNanos) {
        if (repliedNanos != 0) {
            shortestAnswerNanos = Math.min(shortestAnswerNanos, nowNanos - repliedNanos);
        }
    }

    long nanos() {
        if (channel instanceof EpollSocketChannel epoll && epoll.isOpen()) {
            EpollTcpInfo info = epoll.tcpInfo();
            return TimeUnit.MICROSECONDS.toNanos(info.rtt());
        }
        return shortestAnswerNanos == Long.MAX_VALUE ? 0 : shortestAnswerNanos;
    }
}
