package io.hawser.store.spool;

import io.hawser.core.integrity.Crc32c;
import io.hawser.core.integrity.TreeDigest;
import io.hawser.store.content.LeafFile;
import io.hawser.store.content.LeafSlot;
import io.hawser.store.runtime.LoopMailbox;
import io.hawser.store.storage.StorageException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes fragments durable in groups: what waits is written, each file is forced once, then the slots are written and forced,
 * then all of it is answered. What arrives meanwhile is the next group.
 *
 * <p>The slots are written after the force of the bytes, so that a slot that is found after a crash proves its fragment.
 *
 * <p>A failed write or force ends that transfer's files: nothing of the group that was not yet durable is answered as such, and
 * nothing is written to them again.
 *
 * <p>Thread: any for {@link #write} and {@link #close(WritableContent, Runnable)}; the work is done on a thread of its own.
 */
final class ContentWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ContentWriter.class);
    private static final int MAX_GROUP = 32;

    private final ContentFiles files;
    private final Executor digests;
    private final LoopMailbox mailbox;
    private final BlockingQueue<Object> queue = new LinkedBlockingQueue<>();
    private final Thread thread;

    private record Close(WritableContent content, Runnable closed) {}

    private record Park(
            WritableContent content, long position, ByteBuffer bytes, Consumer<@Nullable StorageException> parked) {}

    private record Stop() {}

    ContentWriter(ContentFiles files, Executor digests, LoopMailbox mailbox, String threadName) {
        this.files = files;
        this.digests = digests;
        this.mailbox = mailbox;
        this.thread = new Thread(this::run, threadName);
    }

    ContentWriter start() {
        thread.start();
        return this;
    }

    /** Digests a fragment and makes it durable. Bounded by the buffers, of which each holds one. */
    void write(FragmentWriteTask write) {
        digests.execute(() -> {
            try {
                digest(write);
                queue.add(write);
            } catch (RuntimeException | Error e) {
                write.fail(new StorageException("a digest could not be made: " + e, e));
                mailbox.post(write::complete);
            }
        });
    }

    /**
     * Writes whole blocks at {@code position} without making them durable. {@code parked} runs on the loop with the cause of a
     * failure, or null.
     */
    void park(WritableContent content, long position, ByteBuffer bytes, Consumer<@Nullable StorageException> parked) {
        queue.add(new Park(content, position, bytes, parked));
    }

    /** Closes the files after everything that was handed in before and has been digested. {@code closed} runs on the loop. */
    void close(WritableContent content, Runnable closed) {
        queue.add(new Close(content, closed));
    }

    /** Finishes what is queued. Blocks. */
    @Override
    public void close() {
        queue.add(new Stop());
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void digest(FragmentWriteTask write) {
        ByteBuffer bytes = write.buffer.payload(0, write.length);
        write.leaf = TreeDigest.leaf(bytes);
        write.crc32c = Crc32c.of(bytes);
        if (write.knownLength > 0) {
            write.knownLeaf = write.knownLength == write.length
                    ? write.leaf
                    : TreeDigest.leaf(write.buffer.payload(0, write.knownLength));
        }
        write.buffer.zeroPadding(write.length);
    }

    private void run() {
        try {
            workUntilStopped();
        } catch (RuntimeException | Error e) { // uploads would wait for it for ever: the node is to end
            LOG.atError().setCause(e).log("The spool's writer failed");
            files.failed(new StorageException("the spool's writer failed: " + e, e));
        }
    }

    private void workUntilStopped() {
        List<Object> taken = new ArrayList<>();
        List<FragmentWriteTask> group = new ArrayList<>();
        boolean stopping = false;
        while (!stopping) {
            taken.clear();
            group.clear();
            take(taken);
            for (Object item : taken) {
                if (item instanceof FragmentWriteTask write) {
                    group.add(write);
                } else if (item instanceof Park park) {
                    park(park);
                }
            }
            writeGroup(group);
            group.forEach(write -> mailbox.post(write::complete));
            for (Object item : taken) {
                if (item instanceof Close close) {
                    close.content.close();
                    mailbox.post(close.closed);
                }
                stopping |= item instanceof Stop;
            }
        }
    }

    private void park(Park park) {
        StorageException failure = null;
        try {
            if (park.content.open()) {
                files.forceDirectory(); // the writes that follow find the files open and do not think of it
            }
            park.content.data().write(park.bytes, park.position);
        } catch (StorageException e) {
            park.content.fail(e);
            failure = e;
        }
        StorageException cause = failure;
        mailbox.post(() -> park.parked.accept(cause));
    }

    private void take(List<Object> into) {
        try {
            into.add(queue.take());
            queue.drainTo(into, MAX_GROUP - 1);
        } catch (InterruptedException e) {
            LOG.atError().log("The spool's writer was interrupted, which must not happen");
            into.add(new Stop());
        }
    }

    private void writeGroup(List<FragmentWriteTask> group) {
        List<FragmentWriteTask> written = new ArrayList<>(group.size());
        boolean newFiles = false;
        for (FragmentWriteTask write : group) {
            try {
                newFiles |= write.content.open();
                if (isNew(write)) {
                    writeBytes(write);
                    written.add(write);
                }
            } catch (StorageException e) {
                fail(write, e);
            }
        }
        if (written.isEmpty()) {
            return;
        }
        forceAll(written, content -> {
            if (content.withData()) {
                content.data().force(false);
            }
        });
        writeSlots(written);
        forceAll(written, content -> content.leaves().force(false));
        if (newFiles) {
            forceDirectory(written);
        }
        for (FragmentWriteTask write : written) {
            StorageException failure = write.content.failure();
            if (failure == null) {
                write.result = FragmentWriteTask.Result.DURABLE;
            } else {
                write.fail(failure);
            }
        }
    }

    /** Compares what was here before. Returns whether there is something to write. */
    private static boolean isNew(FragmentWriteTask write) throws StorageException {
        if (write.knownLength == 0) {
            return true;
        }
        LeafSlot known = LeafFile.read(write.content.leaves(), write.content.key(), write.index);
        if (known == null || known.length() != write.knownLength || !Arrays.equals(known.leaf(), write.knownLeaf)) {
            write.result = FragmentWriteTask.Result.DIFFERENT;
            return false;
        }
        write.result = FragmentWriteTask.Result.SAME;
        return write.knownLength < write.length;
    }

    private static void writeBytes(FragmentWriteTask write) throws StorageException {
        if (write.content.withData()) {
            write.content.data().write(write.buffer.paddedPayload(write.length), write.index * write.fragmentSizeBytes);
        }
    }

    private static void writeSlots(List<FragmentWriteTask> written) {
        for (FragmentWriteTask write : written) {
            if (write.content.failure() == null) {
                try {
                    LeafFile.write(write.content.leaves(), write.content.key(), List.of(write.slot()));
                } catch (StorageException e) {
                    fail(write, e);
                }
            }
        }
    }

    private interface Force {
        void force(WritableContent content) throws StorageException;
    }

    private static void forceAll(List<FragmentWriteTask> written, Force force) {
        Set<WritableContent> contents = new LinkedHashSet<>();
        written.forEach(write -> contents.add(write.content));
        for (WritableContent content : contents) {
            if (content.failure() == null) {
                try {
                    force.force(content);
                } catch (StorageException e) {
                    content.fail(e);
                }
            }
        }
    }

    private void forceDirectory(List<FragmentWriteTask> written) {
        try {
            files.forceDirectory();
        } catch (StorageException e) {
            written.forEach(write -> write.content.fail(e)); // which of them are new does not matter any more
        }
    }

    private static void fail(FragmentWriteTask write, StorageException cause) {
        write.content.fail(cause);
        write.fail(cause);
    }
}
