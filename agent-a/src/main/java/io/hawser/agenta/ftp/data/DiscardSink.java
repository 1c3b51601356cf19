package io.hawser.agenta.ftp.data;

import io.hawser.agenta.upload.ByteSink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

/**
 * Takes what a client sends where it has nothing to send, or what has been refused, and forgets it.
 *
 * <p>Thread: the loop.
 */
final class DiscardSink implements ByteSink {
    private static final int BYTES = 16 << 10;

    @Override
    public boolean hasSpace() {
        return true;
    }

    @Override
    public ByteBuf space() {
        return PooledByteBufAllocator.DEFAULT.directBuffer(BYTES, BYTES);
    }

    @Override
    public void whenSpace(Runnable again) {
        again.run();
    }

    @Override
    public void received(int length) {}

    @Override
    public void ended() {}

    @Override
    public void broken(Throwable cause) {}
}
