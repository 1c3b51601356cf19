package io.hawser.agenta.download;

import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The window of a download: asks for some blocks ahead, as the {@link ReadBudget} allows, and hands them on as they are wanted,
 * in the order of the file or as they come. What was handed out and not used can be put back, and is asked for again.
 *
 * <p>Thread: the loop. The sink may be called inside {@link #want}.
 */
public final class DownloadWindow implements ReadBudget.Holder {
    private final VersionedSource source;
    private final ReadBudget.Member budget;
    private final boolean inOrder;
    private final Sink sink;
    /** What has not been asked for, in the order in which it will be. */
    private final Deque<Range> toAsk = new ArrayDeque<>();
    /** What has been asked for and not handed on, in the order in which it was. */
    private final Deque<Slot> slots = new ArrayDeque<>();

    private int wanted;
    private boolean paused;
    private boolean filling;
    private boolean over;

    /** Bytes {@code [from, to)} of a file. */
    public record Range(long from, long to) {
        public Range {
            if (from < 0 || to < from) {
                throw new IllegalArgumentException("a range from " + from + " to " + to);
            }
        }
    }

    /** Where the blocks go. */
    public interface Sink {
        /** A block that was wanted. It is the sink's to release. */
        void block(FileChunk block);

        /** All has been handed on; nothing follows. */
        void complete();

        /** It cannot continue; nothing follows. */
        void failed(Refusal why);

        /** Others wait for blocks: if its client has taken nothing for a while, it puts back what it holds and pauses the window. */
        void giveBackIfStalled();
    }

    private static final class Slot {
        private final Range range;
        private @Nullable Runnable takeBack;
        private @Nullable FileChunk block;

        private Slot(Range range) {
            this.range = range;
        }
    }

    /**
     * A window; it asks for nothing before the first {@link #want} or {@link #start}.
     *
     * @param ranges what is downloaded, within the file
     * @param inOrder whether the blocks are handed on in the order of the ranges, or as they come
     */
    public DownloadWindow(VersionedSource source, List<Range> ranges, boolean inOrder, Sink sink) {
        this.source = source;
        this.inOrder = inOrder;
        this.sink = sink;
        for (Range range : ranges) {
            if (range.to() > range.from()) {
                toAsk.addLast(range);
            }
        }
        this.budget = source.budget().join(this);
        source.opened();
    }

    public void start() {
        fill();
    }

    /** One block more is wanted: {@link Sink#block} once, or the end. */
    public void want() {
        paused = false;
        wanted++;
        fill();
        handOn();
    }

    /** The sink has not used {@code block} from its byte {@code used} on, and releases it; that is asked for again. */
    public void putBack(FileChunk block, int used) {
        if (used < block.length()) {
            toAsk.addFirst(new Range(block.offset() + used, block.end()));
        }
        block.release();
    }

    /** Lets go of everything until the next {@link #want}: what is in memory is dropped and will be asked for again. */
    public void pause() {
        paused = true;
        wanted = 0;
        source.paused();
        List<Range> dropped = new ArrayList<>();
        for (Slot slot : List.copyOf(slots)) {
            dropped.add(slot.range);
        }
        dropSlots();
        for (int i = dropped.size() - 1; i >= 0; i--) {
            toAsk.addFirst(dropped.get(i));
        }
    }

    /** Whether it has let go of everything, see {@link #pause}. */
    public boolean isPaused() {
        return paused;
    }

    /** No more of it is wanted. What was handed out is still to be released. */
    public void cancel() {
        if (!over) {
            over = true;
            toAsk.clear();
            budget.leave();
            source.closed();
            dropSlots();
        }
    }

    private void dropSlots() {
        List<Slot> all = List.copyOf(slots);
        slots.clear();
        for (Slot slot : all) {
            if (slot.block != null) {
                slot.block.release();
            } else if (slot.takeBack != null) {
                slot.takeBack.run();
                budget.giveBack();
            }
        }
    }

    @Override
    public void mayTake() {
        fill();
    }

    @Override
    public void giveBackIfStalled() {
        if (!over && !paused) {
            sink.giveBackIfStalled();
        }
    }

    @Override
    public void askForFewer(int blocks) {
        List<Slot> latestFirst = new ArrayList<>(slots);
        Collections.reverse(latestFirst);
        latestFirst.stream().filter(slot -> slot.block == null).limit(blocks).forEach(slot -> {
            slots.remove(slot);
            toAsk.addFirst(slot.range);
            if (slot.takeBack != null) {
                slot.takeBack.run();
            }
            budget.giveBack();
        });
    }

    private void fill() {
        if (filling) {
            return;
        }
        filling = true;
        while (!over && !paused && !toAsk.isEmpty() && budget.tryTake()) {
            ask(takeNext());
        }
        filling = false;
    }

    /** The next piece: at most up to the end of the block in which it begins. */
    private Range takeNext() {
        Range range = toAsk.removeFirst();
        long blockEnd = (range.from() / source.blockSizeBytes() + 1) * source.blockSizeBytes();
        if (range.to() <= blockEnd) {
            return range;
        }
        toAsk.addFirst(new Range(blockEnd, range.to()));
        return new Range(range.from(), blockEnd);
    }

    private void ask(Range range) {
        Slot slot = new Slot(range);
        slots.addLast(slot);
        int length = (int) (range.to() - range.from());
        slot.takeBack = source.ask(range.from(), length, outcome -> answered(slot, outcome));
    }

    private void answered(Slot slot, Outcome<FileChunk> outcome) {
        Refusal refusal = outcome.refusal();
        if (refusal != null) {
            slots.remove(slot);
            budget.giveBack();
            fail(refusal);
            return;
        }
        slot.block = outcome.get().andThen(this::blockReleased);
        handOn();
    }

    private void blockReleased() {
        budget.giveBack();
        fill();
    }

    private void fail(Refusal refusal) {
        if (!over) {
            cancel();
            sink.failed(refusal);
        }
    }

    private void handOn() {
        while (!over && wanted > 0) {
            if (slots.isEmpty() && toAsk.isEmpty()) {
                cancel();
                sink.complete();
                return;
            }
            FileChunk block = takeReady();
            if (block == null) {
                return;
            }
            wanted--;
            sink.block(block);
        }
    }

    private @Nullable FileChunk takeReady() {
        for (Iterator<Slot> all = slots.iterator(); all.hasNext(); ) {
            Slot slot = all.next();
            if (slot.block != null) {
                all.remove();
                return slot.block;
            }
            if (inOrder) {
                return null;
            }
        }
        return null;
    }
}
