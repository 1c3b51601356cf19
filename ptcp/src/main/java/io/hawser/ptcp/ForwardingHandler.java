package io.hawser.ptcp;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Forwards all calls to another handler; the base of handlers that differ from one in a single call. */
abstract class ForwardingHandler implements PtcpHandler {
    abstract PtcpHandler target();

    @Override
    public void onOpen(PtcpSession session) {
        target().onOpen(session);
    }

    @Override
    public void onControl(PtcpSession session, ByteBuf message) {
        target().onControl(session, message);
    }

    @Override
    public @Nullable ByteBuf onPacketHeader(PtcpSession session, int stream, ByteBuf header, int payloadLength) {
        return target().onPacketHeader(session, stream, header, payloadLength);
    }

    @Override
    public void onPacket(PtcpSession session, int stream, ByteBuf header, ByteBuf payload) {
        target().onPacket(session, stream, header, payload);
    }

    @Override
    public @Nullable PtcpPacket nextPacket(PtcpSession session, int stream) {
        return target().nextPacket(session, stream);
    }

    @Override
    public void onStreamLost(PtcpSession session, int stream) {
        target().onStreamLost(session, stream);
    }

    @Override
    public void onClosed(PtcpSession session, PtcpException cause) {
        target().onClosed(session, cause);
    }
}
