package io.hawser.agenta.sftp.session;

/**
 * What a channel's bytes are for.
 *
 * <p>Thread: the loop.
 */
public interface ByteSession {
    /** The channel is open: something can be sent. */
    void begin();

    /** Bytes have come; {@link Outlet#consumed} is told when they have been used. */
    void received(byte[] bytes);

    /** The client sends nothing more, or is gone. */
    void ended();
}
