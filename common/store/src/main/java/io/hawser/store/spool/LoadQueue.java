package io.hawser.store.spool;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.store.runtime.LoopMailbox;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Loads fragments for the sender: a few at a time, each as soon as a buffer is free.
 *
 * <p>Thread: the loop; reading is done on the disk threads.
 */
final class LoadQueue {
    private static final int MAX_AT_A_TIME = 4;
    private static final int ARENA_BUFFERS = 2;

    private final FragmentBufferPool pool;
    private final ContentReader reader;
    private final Executor disk;
    private final LoopMailbox mailbox;
    private final Trouble trouble;
    private final SmallArena arena = new SmallArena(ARENA_BUFFERS);
    private final Queue<Load> waiting = new ArrayDeque<>();
    private int running;
    private boolean waitingForBuffer;

    private record Load(SpoolTransfer transfer, long index, Outcome.Callback<Fragment> done) {}

    /** Receives, on the loop, the failures of loads. */
    interface Trouble {
        /** A file which is read in place is not what it was. */
        void sourceChanged(SpoolTransfer transfer, Refusal why);

        /** The content in the spool is not what was written. Returns the refusal for the sender. */
        Refusal damaged(SpoolTransfer transfer, String why);

        /** Content could be loaded. */
        void sound(SpoolTransfer transfer);
    }

    LoadQueue(FragmentBufferPool pool, ContentReader reader, Executor disk, LoopMailbox mailbox, Trouble trouble) {
        this.pool = pool;
        this.reader = reader;
        this.disk = disk;
        this.mailbox = mailbox;
        this.trouble = trouble;
    }

    /** Loads one; the callback owns one reference of the fragment's buffer. */
    void load(SpoolTransfer transfer, long index, Outcome.Callback<Fragment> done) {
        waiting.add(new Load(transfer, index, done));
        pump();
    }

    private void pump() {
        while (running < MAX_AT_A_TIME && !waiting.isEmpty()) {
            FragmentBuffer buffer = pool.tryAcquire();
            if (buffer == null) {
                waitForBuffer();
                return;
            }
            begin(waiting.remove(), buffer);
        }
    }

    private void waitForBuffer() {
        if (!waitingForBuffer) {
            waitingForBuffer = true;
            pool.whenAvailable(() -> mailbox.post(() -> {
                waitingForBuffer = false;
                pump();
            }));
        }
    }

    private void begin(Load load, FragmentBuffer buffer) {
        int length = load.transfer.isContentKept() ? load.transfer.lengthOf(load.index) : -1;
        if (length < 0) {
            buffer.release();
            mailbox.post(() -> load.done.accept(gone(load)));
            return;
        }
        running++;
        ContentReader.Place place = ContentReader.Place.of(load.transfer, load.index, length);
        disk.execute(() -> {
            AtomicReference<String> damage = new AtomicReference<>();
            Outcome<Fragment> outcome = reader.read(place, buffer, damage::set);
            mailbox.post(() -> end(load, buffer, outcome, damage.get()));
        });
    }

    private void end(Load load, FragmentBuffer buffer, Outcome<Fragment> outcome, @Nullable String damage) {
        running--;
        Refusal refusal = outcome.refusal();
        if (refusal == null) {
            trouble.sound(load.transfer);
            load.done.accept(Outcome.of(compact(outcome.get())));
        } else {
            buffer.release();
            if (!load.transfer.isContentKept()) {
                load.done.accept(gone(load));
            } else if (damage != null) {
                load.done.accept(new Outcome<>(null, trouble.damaged(load.transfer, damage)));
            } else {
                if (refusal.code() == ErrorCode.SOURCE_CHANGED) {
                    trouble.sourceChanged(load.transfer, refusal);
                }
                load.done.accept(outcome);
            }
        }
        pump();
    }

    /** A few kilobytes shall not keep a whole fragment's buffer while they wait to be sent. */
    private Fragment compact(Fragment fragment) {
        if (fragment.length() > Spool.SMALL_LIMIT_BYTES) {
            return fragment;
        }
        SmallArena.Placed placed = arena.place(fragment.buffer().payload(fragment.offset(), fragment.length()));
        if (placed == null) {
            return fragment;
        }
        fragment.buffer().release();
        return new Fragment(
                fragment.key(),
                fragment.index(),
                fragment.length(),
                fragment.crc32c(),
                fragment.leaf(),
                placed.buffer(),
                placed.offset());
    }

    private static Outcome<Fragment> gone(Load load) {
        return Outcome.refused(
                ErrorCode.NOT_FOUND, "Fragment " + load.index + " of " + load.transfer.key() + " is not in the spool");
    }
}
