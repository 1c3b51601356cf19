package io.hawser.agenta.data;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives Netty the sink's own memory to read into, and ends a round of reads when there is none.
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

    private @Nullable DataSink sink;
    /** Whether the sink's memory is not read into, because what comes has to be decrypted first. */
    private @Nullable BooleanSupplier readsThroughTls;

    private int lastBytesRead;
    private int attemptedBytesRead;

    void sink(@Nullable DataSink newSink) {
        this.sink = newSink;
    }

    /** From now on reads go to memory of Netty's own, whenever {@code mayRead} says so. */
    void throughTls(BooleanSupplier mayRead) {
        readsThroughTls = mayRead;
    }

    @SuppressWarnings("deprecation") // the supertype's own name
    @Override
    public Handle newHandle() {
        return this;
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator netty) {
        BooleanSupplier mayRead = readsThroughTls;
        if (mayRead != null) {
            if (!mayRead.getAsBoolean()) {
                throw new NoSpaceException();
            }
            return netty.ioBuffer(TLS_READ_BYTES);
        }
        ByteBuf space = sink == null ? null : sink.space();
        if (space == null) {
            throw new NoSpaceException();
        }
        return space;
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

    /** One read fills a fragment or empties the socket; after it other connections have their turn. */
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
