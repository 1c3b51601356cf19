package io.hawser.ptcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A handler that notes what it is told, and sends what the test gives it. */
class RecordingHandler implements PtcpHandler {
    final List<String> events = new CopyOnWriteArrayList<>();
    final List<String> control = new CopyOnWriteArrayList<>();
    final List<String> headers = new CopyOnWriteArrayList<>();
    final List<byte[]> payloads = new CopyOnWriteArrayList<>();
    final List<Integer> lost = new CopyOnWriteArrayList<>();
    final AtomicInteger asked = new AtomicInteger();
    final Queue<PtcpPacket> outbox = new ArrayDeque<>();
    volatile boolean hasMemory = true;
    volatile boolean memoryForOne;
    volatile @Nullable PtcpSession session;
    volatile @Nullable PtcpException closed;

    PtcpSession session() {
        PtcpSession present = session;
        if (present == null) {
            throw new AssertionError("the session is not open");
        }
        return present;
    }

    PtcpException closed() {
        PtcpException cause = closed;
        if (cause == null) {
            throw new AssertionError("the session is not closed");
        }
        return cause;
    }

    /** Any thread. */
    void send(byte[] header, byte[] payload) {
        session().loop().execute(() -> {
            outbox.add(new PtcpPacket(Unpooled.copiedBuffer(header), Unpooled.copiedBuffer(payload)));
            session().wakeStreams();
        });
    }

    /** Any thread. */
    void sendControl(String text) {
        session().loop().execute(() -> session().sendControl(Unpooled.copiedBuffer(text, StandardCharsets.UTF_8)));
    }

    /** Any thread. */
    void giveMemory() {
        session().loop().execute(() -> {
            hasMemory = true;
            session().resumePackets();
        });
    }

    @Override
    public void onOpen(PtcpSession opened) {
        session = opened;
        events.add("open");
    }

    @Override
    public void onControl(PtcpSession from, ByteBuf message) {
        control.add(message.toString(StandardCharsets.UTF_8));
    }

    @Override
    public @Nullable ByteBuf onPacketHeader(PtcpSession from, int stream, ByteBuf header, int payloadLength) {
        asked.incrementAndGet();
        if (!hasMemory) {
            return null;
        }
        hasMemory = !memoryForOne;
        return Unpooled.directBuffer(payloadLength, payloadLength);
    }

    @Override
    public void onPacket(PtcpSession from, int stream, ByteBuf header, ByteBuf payload) {
        payloads.add(ByteBufUtil.getBytes(payload));
        headers.add(header.toString(StandardCharsets.UTF_8));
    }

    @Override
    public @Nullable PtcpPacket nextPacket(PtcpSession from, int stream) {
        return outbox.poll();
    }

    @Override
    public void onStreamLost(PtcpSession from, int stream) {
        lost.add(stream);
    }

    @Override
    public void onClosed(PtcpSession from, PtcpException cause) {
        closed = cause;
        events.add("closed");
        outbox.forEach(packet -> {
            packet.header().release();
            packet.payload().release();
        });
        outbox.clear();
    }
}
