package io.hawser.ptcp.netty;

import io.netty.channel.Channel;

/** The events of a channel besides its bytes. */
public interface ChannelEvents {
    /** The channel can be used: connected, and with TLS after the handshake. */
    default void onReady(Channel channel) {}

    /**
     * The peer broke the format, TLS failed, or the connection was reset. Later bytes are dropped; the owner closes the channel.
     */
    void onFailure(Channel channel, Throwable cause);

    /** The channel is closed. The last call. */
    void onInactive(Channel channel);
}
