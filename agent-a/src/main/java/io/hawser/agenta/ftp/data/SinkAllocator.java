package io.hawser.agenta.ftp.data;

import io.hawser.agenta.upload.ByteSink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives Netty the sink's own memory to read into. When it has none, a few bytes are read into memory of Netty's, so that it is known
 * that some have come; while they wait, rounds of reads end at once.
 *
 * <p>Thread: the loop of its one channel.
 */
final class SinkAllocator implements RecvByteBufAllocator, RecvByteBufAllocator.ExtendedHandle {
    /**
     * Thrown where Netty insists on a read and there is nowhere to put it. Netty's epoll channel reads on until the end once
     * the peer's FIN has come, whether it was asked to or not, and up to a receive buffer's worth of bytes may still be
     * unread. An exception that is no IOException ends that round and leaves the channel and its bytes as they are.
     */
    static final class NoSpaceException extends RuntimeException {
        private static final long serialVersionUID = 1;

        NoSpaceException() {
            super("no memory to read into", null, false, false);
        }
    }

    /** Two records of the largest size. */
    private static final int TLS_READ_BYTES = 32 << 10;
    /** Little, since as much waits of each of very many uploads. */
    private static final int KNOCK_BYTES = 512;

    private @Nullable ByteSink sink;
    private final BooleanSupplier mayRead;
    /** Whether the sink's memory is not read into, because what comes has to be decrypted first. */
    private boolean readsThroughTls;

    private boolean readBesideSink;

    private int lastBytesRead;
    private int attemptedBytesRead;

    /** Reads whenever {@code mayRead} says so. */
    SinkAllocator(BooleanSupplier mayRead) {
        this.mayRead = mayRead;
    }

    void sink(@Nullable ByteSink newSink) {
        this.sink = newSink;
    }

    /** From now on reads go to memory of Netty's own. */
    void throughTls() {
        readsThroughTls = true;
    }

    /** Whether what was read last is not in the sink's memory. */
    boolean readBesideSink() {
        return readBesideSink;
    }

    @SuppressWarnings("deprecation") // the supertype's own name
    @Override
    public Handle newHandle() {
        return this;
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator netty) {
        if (!mayRead.getAsBoolean()) {
            throw new NoSpaceException();
        }
        if (readsThroughTls) {
            return netty.ioBuffer(TLS_READ_BYTES);
        }
        if (sink == null) {
            throw new NoSpaceException();
        }
        ByteBuf space = sink.space();
        readBesideSink = space == null;
        return space == null ? netty.ioBuffer(KNOCK_BYTES, KNOCK_BYTES) : space;
    }

    @Override
    public int guess() {
        return 0; // only used by allocate() of the default allocators
    }

    @Override
    public void reset(ChannelConfig config) {}

    @Override
    public void incMessagesRead(int count) {}

    @Override
    public void lastBytesRead(int bytes) {
        lastBytesRead = bytes;
    }

    @Override
    public int lastBytesRead() {
        return lastBytesRead;
    }

    @Override
    public void attemptedBytesRead(int bytes) {
        attemptedBytesRead = bytes;
    }

    @Override
    public int attemptedBytesRead() {
        return attemptedBytesRead;
    }

    /** One read fills a fragment or empties the socket; after it other connections are read. */
    @Override
    public boolean continueReading() {
        return false;
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
        return false;
    }

    @Override
    public void readComplete() {}
}
