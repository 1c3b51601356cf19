package io.hawser.client;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.remote.RemoteBlock;
import io.hawser.core.remote.RemoteFiles;
import io.hawser.core.transport.NodeThreads;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of a file at a far end, in order: asks for some blocks ahead, and waits for the first.
 *
 * <p>Thread: one at a time; questions and buffers belong to the client's loop.
 */
final class FarFileStream extends InputStream {
    /** Blocks that are asked for ahead: as many bytes as this are in flight, and in memory. */
    private static final int WINDOW = 8;

    /** Asks for a block on the client's loop. */
    interface Source {
        RemoteFiles.Call ask(long offset, int length, Outcome.Callback<RemoteBlock> done);
    }

    private static final class Pending {
        private final int length;
        private final CompletableFuture<RemoteBlock> answer = new CompletableFuture<>();
        /** On the loop. */
        private RemoteFiles.@Nullable Call call;

        private Pending(int length) {
            this.length = length;
        }
    }

    private final Executor loop;
    private final Source source;
    private final long sizeBytes;
    private final int blockBytes;
    private final Deque<Pending> window = new ArrayDeque<>();
    private long askedTo;
    private @Nullable RemoteBlock block;
    private int used;

    FarFileStream(Executor loop, Source source, long offset, long sizeBytes, int blockBytes) {
        this.loop = loop;
        this.source = source;
        this.askedTo = offset;
        this.sizeBytes = sizeBytes;
        this.blockBytes = blockBytes;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        if (length == 0) {
            return 0;
        }
        RemoteBlock current = current();
        if (current == null) {
            return -1;
        }
        int count = Math.min(length, current.length() - used);
        current.buffer().payload(used, count).get(into, offset, count);
        used += count;
        return count;
    }

    /** The block with the next byte; null at the end. */
    private @Nullable RemoteBlock current() throws IOException {
        RemoteBlock now = block;
        if (now != null && used < now.length()) {
            return now;
        }
        release();
        fill();
        Pending next = window.peekFirst();
        if (next == null) {
            return null;
        }
        RemoteBlock arrived = NodeThreads.await(next.answer);
        window.removeFirst();
        block = arrived;
        used = 0;
        if (arrived.length() != next.length) {
            throw new HawserException(
                    HawserException.Reason.SOURCE_CHANGED, "the file has become shorter while it was read");
        }
        return arrived;
    }

    private void fill() throws IOException {
        while (window.size() < WINDOW && askedTo < sizeBytes) {
            long from = askedTo;
            Pending pending = new Pending((int) Math.min(blockBytes - from % blockBytes, sizeBytes - from));
            window.addLast(pending);
            askedTo += pending.length;
            onLoop(() -> pending.call = source.ask(from, pending.length, outcome -> answered(pending, outcome)));
        }
    }

    private static void answered(Pending pending, Outcome<RemoteBlock> outcome) {
        Refusal refusal = outcome.refusal();
        boolean taken = refusal == null
                ? pending.answer.complete(outcome.get())
                : pending.answer.completeExceptionally(new HawserException(changed(refusal)));
        if (!taken && refusal == null) {
            outcome.get().buffer().release(); // the stream was closed
        }
    }

    /** A file that was there when it was opened, and is no more, has changed. */
    private static Refusal changed(Refusal refusal) {
        return refusal.code() == ErrorCode.NOT_FOUND
                ? new Refusal(ErrorCode.SOURCE_CHANGED, "the file is no longer there")
                : refusal;
    }

    private void release() throws IOException {
        RemoteBlock now = block;
        block = null;
        if (now != null) {
            onLoop(() -> now.buffer().release());
        }
    }

    private void onLoop(Runnable task) throws IOException {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            throw new IOException("the client is closed", e);
        }
    }

    /** Cancels what was asked for. */
    @Override
    public void close() throws IOException {
        release();
        for (Pending pending : window) {
            onLoop(() -> drop(pending));
        }
        window.clear();
        askedTo = sizeBytes;
    }

    private static void drop(Pending pending) {
        RemoteFiles.Call call = pending.call;
        if (pending.answer.cancel(false)) {
            if (call != null) {
                call.cancel();
            }
        } else if (!pending.answer.isCompletedExceptionally()) {
            pending.answer.join().buffer().release();
        }
    }
}
