package io.hawser.agenta.ftp.data;

import io.hawser.agenta.upload.ByteSink;
import io.hawser.agenta.upload.FragmentSink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An upload in TYPE A (RFC 959 section 3.1.1.1): lines come with CR LF and are stored as Unix stores them, with LF alone. A CR
 * that no LF follows is kept. The bytes are copied, which the few texts that are sent so can bear.
 *
 * <p>Thread: the loop.
 */
public final class AsciiSink implements ByteSink {
    private static final int BLOCK_BYTES = 16 << 10;

    private final FragmentSink sink;
    /** What is converted and waits to be copied on. */
    private final ByteBuf block = Unpooled.buffer(BLOCK_BYTES, BLOCK_BYTES);

    /** Wrapped memory, which needs no release. */
    private final ByteBuf incoming = Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(BLOCK_BYTES / 2));

    private boolean afterCr;
    private @Nullable Runnable again;
    private @Nullable Runnable whenEmpty;

    public AsciiSink(FragmentSink sink) {
        this.sink = sink;
    }

    @Override
    public boolean hasSpace() {
        return passOn();
    }

    @Override
    public boolean takesBytesFirst() {
        return !block.isReadable() && sink.takesBytesFirst();
    }

    @Override
    public @Nullable ByteBuf space() {
        return passOn() ? incoming.clear().retain() : null;
    }

    @Override
    public void whenSpace(Runnable run) {
        again = run;
        sink.whenSpace(this::proceed);
    }

    private void proceed() {
        if (!passOn()) {
            sink.whenSpace(this::proceed);
            return;
        }
        Runnable finish = whenEmpty;
        whenEmpty = null;
        if (finish != null) {
            finish.run();
            return;
        }
        Runnable run = again;
        again = null;
        if (run != null) {
            run.run();
        }
    }

    /** Copies what is converted, and says whether all of it went and the next fragment has room. */
    private boolean passOn() {
        while (sink.hasSpace()) {
            if (!block.isReadable()) {
                block.clear();
                return true;
            }
            sink.copy(block, Math.min(sink.room(), block.readableBytes()));
        }
        return false;
    }

    @Override
    public void received(int length) {
        for (int i = 0; i < length; i++) {
            byte b = incoming.getByte(i);
            if (afterCr && b != '\n') {
                block.writeByte('\r');
            }
            afterCr = b == '\r';
            if (!afterCr) {
                block.writeByte(b);
            }
        }
        passOn();
    }

    @Override
    public void ended() {
        if (afterCr) {
            block.writeByte('\r');
            afterCr = false;
        }
        if (!block.isReadable() || passOn()) {
            sink.ended();
        } else {
            whenEmpty = sink::ended;
            sink.whenSpace(this::proceed);
        }
    }

    @Override
    public void broken(Throwable cause) {
        // A text that broke off cannot be continued by a byte position, so what waits here is of no use.
        sink.broken(cause);
    }
}
