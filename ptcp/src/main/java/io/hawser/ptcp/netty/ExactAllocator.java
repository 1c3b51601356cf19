package io.hawser.ptcp.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import java.io.Serial;

/**
 * Returns the memory for a socket's next read: the free part of the {@link ExactReader}'s current memory, and not a byte more.
 *
 * <p>Nothing may be read while the reader is paused. Yet the epoll transport reads after the peer's FIN whatever {@code autoRead} says, up to the end of the kernel's bytes. An exception stops such a read, which the reader does not take for an error; the bytes stay in the kernel until {@link ExactReader#resume()}. One event can bring two such reads (data, and the FIN). After {@value #STOPS_LIMIT} of them, as at a reset connection, the transport gets a scrap of memory, so that it sees the error.
 *
 * <p>Thread: the channel's loop only.
 */
public final class ExactAllocator implements RecvByteBufAllocator {
    @SuppressWarnings("StaticAssignmentOfThrowable") // a signal: it has no stack trace
    static final RuntimeException PAUSED = new ReadingPaused();

    private static final int LARGE_READ_BYTES = 64 << 10;
    private static final int SCRAP_BYTES = 2 << 10;
    private static final int STOPS_LIMIT = 4;
    private static final int READS_PER_TURN = 16;
    private static final int BYTES_PER_TURN = 4 << 20;

    private final ExactReader reader;
    private final boolean behindTls;

    /** @param behindTls whether the bytes are for a TLS handler, which needs memory of its own */
    public ExactAllocator(ExactReader reader, boolean behindTls) {
        this.reader = reader;
        this.behindTls = behindTls;
    }

    @Override
    @SuppressWarnings("deprecation") // the epoll transport demands an ExtendedHandle
    public Handle newHandle() {
        return new ExactHandle();
    }

    @SuppressWarnings("deprecation")
    private final class ExactHandle implements ExtendedHandle {
        private int attempted;
        private int lastRead;
        private int reads;
        private long bytes;
        private int stopped;
        private boolean started;

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            ByteBuf memory = reader.memory();
            if (reader.isDiscarding()) {
                return allocator.directBuffer(SCRAP_BYTES, SCRAP_BYTES);
            }
            if (memory == null && started()) {
                if (stopped < STOPS_LIMIT) {
                    stopped++;
                    throw PAUSED;
                }
                return allocator.directBuffer(SCRAP_BYTES, SCRAP_BYTES);
            }
            stopped = 0;
            if (memory == null || behindTls || !reader.readsInPlace()) {
                return allocator.directBuffer(LARGE_READ_BYTES, LARGE_READ_BYTES);
            }
            reader.readInPlace();
            return memory.retain();
        }

        /** Behind TLS the handshake's bytes come before the reader has a target. */
        private boolean started() {
            started |= reader.hasTarget();
            return started;
        }

        @Override
        public int guess() {
            ByteBuf memory = reader.memory();
            return memory == null ? SCRAP_BYTES : memory.writableBytes();
        }

        @Override
        public void reset(ChannelConfig config) {
            reads = 0;
            bytes = 0;
        }

        @Override
        public void incMessagesRead(int count) {
            reads += count;
        }

        @Override
        public void lastBytesRead(int count) {
            lastRead = count;
            if (count > 0) {
                bytes += count;
            }
        }

        @Override
        public int lastBytesRead() {
            return lastRead;
        }

        @Override
        public void attemptedBytesRead(int count) {
            attempted = count;
        }

        @Override
        public int attemptedBytesRead() {
            return attempted;
        }

        @Override
        public boolean continueReading() {
            return lastRead == attempted && mayContinue();
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
            return maybeMoreData.get() && mayContinue();
        }

        private boolean mayContinue() {
            return lastRead > 0
                    && reads < READS_PER_TURN
                    && bytes < BYTES_PER_TURN
                    && (!reader.isPaused() || reader.isDiscarding() || !started());
        }

        @Override
        public void readComplete() {}
    }

    private static final class ReadingPaused extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        ReadingPaused() {
            super("reading is paused", null, false, false);
        }
    }
}
