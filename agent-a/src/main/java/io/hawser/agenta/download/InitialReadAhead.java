package io.hawser.agenta.download;

import io.hawser.core.hop.Outcome;
import io.hawser.core.remote.ChecksumAlgorithm;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A file whose first blocks are asked for while the far end is asked whether it still is the version of which a client last heard: over a
 * long link that saves a round trip. If it is, it is read through here; if not, {@link #end} drops what has come.
 *
 * <p>Thread: the loop.
 */
final class InitialReadAhead implements VersionedSource, ReadBudget.Holder {
    private final VersionedSource source;
    private final Executor loop;
    private final ReadBudget.Member budget;
    /** What was asked for and is not wanted yet, by offset. */
    private final Map<Long, Early> waiting = new LinkedHashMap<>();

    private boolean opened;

    /** A block that was asked for early. */
    private static final class Early {
        private final int length;
        private Runnable takeBack = () -> {};
        private @Nullable Outcome<FileChunk> answer;
        private Outcome.@Nullable Callback<FileChunk> wanted;
        private boolean over;

        private Early(int length) {
            this.length = length;
        }

        private boolean isRefused() {
            return answer != null && answer.isRefused();
        }

        private void answered(Outcome<FileChunk> outcome) {
            answer = outcome;
            if (wanted != null) {
                deliver();
            }
        }

        private void deliver() {
            if (!over && wanted != null && answer != null) {
                over = true;
                wanted.accept(answer);
            }
        }

        private void drop() {
            if (over) {
                return;
            }
            over = true;
            if (answer == null) {
                takeBack.run();
            } else if (!answer.isRefused()) {
                answer.get().release();
            }
        }
    }

    private InitialReadAhead(VersionedSource source, Executor loop) {
        this.source = source;
        this.loop = loop;
        this.budget = source.budget().join(this);
    }

    /** Asks for bytes {@code [from, to)} of {@code source}, which lie in the file, as far as its budget goes. */
    public static InitialReadAhead begin(VersionedSource source, Executor loop, long from, long to) {
        InitialReadAhead start = new InitialReadAhead(source, loop);
        long at = from;
        while (at < to && start.budget.tryTake()) {
            long blockEnd = (at / source.blockSizeBytes() + 1) * source.blockSizeBytes();
            long end = Math.min(to, blockEnd);
            start.askEarly(at, (int) (end - at));
            at = end;
        }
        start.leaveIfEmpty();
        return start;
    }

    private void askEarly(long offset, int length) {
        Early early = new Early(length);
        waiting.put(offset, early);
        early.takeBack = source.ask(offset, length, early::answered);
    }

    @Override
    public long sizeBytes() {
        return source.sizeBytes();
    }

    @Override
    public String version() {
        return source.version();
    }

    @Override
    public int blockSizeBytes() {
        return source.blockSizeBytes();
    }

    @Override
    public ReadBudget budget() {
        return source.budget();
    }

    @Override
    public Runnable ask(long offset, int length, Outcome.Callback<FileChunk> done) {
        Early early = waiting.remove(offset);
        if (early == null) {
            return source.ask(offset, length, done);
        }
        budget.giveBack(); // the caller has taken a right of its own
        leaveIfEmpty();
        if (early.length != length || early.isRefused()) {
            early.drop();
            return source.ask(offset, length, done);
        }
        early.wanted = done;
        if (early.answer != null) {
            loop.execute(early::deliver);
        }
        return early::drop;
    }

    @Override
    public Runnable checksum(
            RequestedRange span,
            ChecksumAlgorithm algorithm,
            Executor worker,
            Executor callbacks,
            Outcome.Callback<String> done) {
        return source.checksum(span, algorithm, worker, callbacks, done);
    }

    @Override
    public void opened() {
        opened = true;
        source.opened();
    }

    @Override
    public void paused() {
        dropAll();
    }

    @Override
    public void closed() {
        dropAll();
        source.closed();
    }

    /** The look is over. If it is not being read by now, it will not be. */
    public void end() {
        if (!opened) {
            dropAll();
        }
    }

    private void dropAll() {
        List<Early> all = new ArrayList<>(waiting.values());
        waiting.clear();
        for (Early early : all) {
            early.drop();
            budget.giveBack();
        }
        leaveIfEmpty();
    }

    private void leaveIfEmpty() {
        if (waiting.isEmpty()) {
            budget.leave();
        }
    }

    @Override
    public void mayTake() {
        // What the budget had at the beginning was enough for a head start.
    }

    @Override
    public void giveBackIfStalled() {
        dropAll();
    }

    @Override
    public void askForFewer(int blocks) {
        dropAll();
    }
}
