package io.hawser.store.spool;

import io.hawser.core.integrity.Crc32c;
import io.hawser.core.integrity.TreeDigest;
import io.hawser.store.content.FragmentFile;
import io.hawser.store.content.FragmentFiles;
import io.hawser.store.content.LeafSlot;
import io.hawser.store.runtime.LoopMailbox;
import io.hawser.store.storage.StorageException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
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
 * nothing is written to them again. Here a full disk is such a failure too: the upload ends.
 *
 * <p>Thread: any; the work is done by an executor that runs one task after the other.
 */
final class ContentWriter {
    private static final Logger LOG = LoggerFactory.getLogger(ContentWriter.class);
    private static final int MAX_GROUP = 32;

    private final FragmentFiles files;
    private final Executor digests;
    private final Executor disk;
    private final LoopMailbox mailbox;
    private final Consumer<StorageException> broken;
    /** What to write, what to spill, and the files to close. */
    private final Queue<Object> queue = new ConcurrentLinkedQueue<>();
    /** Whoever makes it positive posts the work, which posts itself again until it is zero. */
    private final AtomicInteger queued = new AtomicInteger();

    private record Park(
            FragmentFile content,
            long index,
            int start,
            ByteBuffer bytes,
            Consumer<@Nullable StorageException> parked) {}

    /**
     * Creates it.
     *
     * @param disk runs one task after the other; at its end it still takes what its own tasks add
     * @param broken learns, on the disk's thread, that this writes nothing any more
     */
    ContentWriter(
            FragmentFiles files,
            Executor digests,
            Executor disk,
            LoopMailbox mailbox,
            Consumer<StorageException> broken) {
        this.files = files;
        this.digests = digests;
        this.disk = disk;
        this.mailbox = mailbox;
        this.broken = broken;
    }

    /** Digests a fragment and makes it durable. Bounded by the buffers, of which each holds one. */
    void write(FragmentWriteTask write) {
        digests.execute(() -> {
            try {
                digest(write);
                add(write);
            } catch (RuntimeException | Error e) {
                write.fail(new StorageException("a digest could not be made: " + e, e));
                mailbox.post(write::complete);
            }
        });
    }

    /**
     * Writes whole blocks of a fragment, from its byte {@code start} on, without making them durable. {@code parked} runs on the loop
     * with the cause of a failure, or null.
     */
    void park(
            FragmentFile content,
            long index,
            int start,
            ByteBuffer bytes,
            Consumer<@Nullable StorageException> parked) {
        add(new Park(content, index, start, bytes, parked));
    }

    /** Closes the files after everything that was handed in before and has been digested. */
    void close(FragmentFile content) {
        add(content);
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

    private void add(Object item) {
        queue.add(item);
        if (queued.getAndIncrement() == 0) {
            disk.execute(this::work);
        }
    }

    private void work() {
        try {
            int done = workOnGroup();
            if (queued.addAndGet(-done) > 0) {
                disk.execute(this::work);
            }
        } catch (RuntimeException | Error e) { // uploads would wait for it for ever: the node is to end
            LOG.atError().setCause(e).log("The spool's writer failed");
            broken.accept(new StorageException("the spool's writer failed: " + e, e));
        }
    }

    /** Returns how many items it took. */
    private int workOnGroup() {
        List<FragmentWriteTask> group = new ArrayList<>();
        List<FragmentFile> closes = new ArrayList<>();
        int taken = 0;
        for (Object item = queue.poll(); item != null; item = ++taken < MAX_GROUP ? queue.poll() : null) {
            if (item instanceof FragmentWriteTask write) {
                group.add(write);
            } else if (item instanceof Park park) {
                park(park);
            } else {
                closes.add((FragmentFile) item);
            }
        }
        writeGroup(group);
        group.forEach(write -> mailbox.post(write::complete));
        closes.forEach(FragmentFile::close);
        return taken;
    }

    private void park(Park park) {
        StorageException failure = null;
        try {
            if (park.content.open()) {
                files.forceDirectory(); // the writes that follow find the files open and do not think of it
            }
            park.content.spill(park.index, park.start, park.bytes);
        } catch (StorageException e) {
            park.content.fail(e);
            failure = e;
        }
        StorageException cause = failure;
        mailbox.post(() -> park.parked.accept(cause));
    }

    private void writeGroup(List<FragmentWriteTask> group) {
        List<FragmentWriteTask> written = new ArrayList<>(group.size());
        boolean newFiles = false;
        for (FragmentWriteTask write : group) {
            try {
                newFiles |= write.content.open();
                if (isNew(write)) {
                    if (write.content.hasData()) {
                        var unused = write.content.write(List.of(write.fragment()));
                    }
                    written.add(write);
                }
            } catch (StorageException e) {
                write.content.fail(e);
                write.fail(e);
            }
        }
        if (written.isEmpty()) {
            return;
        }
        Set<FragmentFile> contents = new LinkedHashSet<>();
        written.forEach(write -> contents.add(write.content));
        contents.forEach(content -> step(content, () -> content.force(false)));
        written.forEach(write -> step(write.content, () -> write.content.putLeaves(List.of(write.fragment()))));
        contents.forEach(content -> step(content, content::forceLeaves));
        if (newFiles) {
            forceDirectory(contents);
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
        LeafSlot known = write.content.slot(write.index);
        if (known == null || known.length() != write.knownLength || !Arrays.equals(known.leaf(), write.knownLeaf)) {
            write.result = FragmentWriteTask.Result.DIFFERENT;
            return false;
        }
        write.result = FragmentWriteTask.Result.SAME;
        return write.knownLength < write.length;
    }

    private interface Step {
        void run() throws StorageException;
    }

    private static void step(FragmentFile content, Step step) {
        try {
            step.run();
        } catch (StorageException e) {
            content.fail(e);
        }
    }

    private void forceDirectory(Set<FragmentFile> contents) {
        try {
            files.forceDirectory();
        } catch (StorageException e) {
            contents.forEach(content -> content.fail(e)); // which of them are new does not matter any more
        }
    }
}
