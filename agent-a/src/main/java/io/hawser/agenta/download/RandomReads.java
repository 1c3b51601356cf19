package io.hawser.agenta.download;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads of one file at positions that a client chooses, as in SFTP. Reads that follow each other come from one window, which asks for
 * blocks ahead, more the longer they do; bytes that are read out of order within a block cost nothing. Others are asked for by themselves.
 * Answers come in the order of the questions: OpenSSH's scp cuts a file where they do not.
 *
 * <p>No block is held while nothing is to be read and others wait for blocks.
 *
 * <p>Thread: the loop.
 */
public final class RandomReads implements DownloadWindow.Sink {
    /** A client that reads a file's beginning only causes no more than this to be read ahead. */
    private static final int FIRST_BLOCKS = 2;
    /** How long a client may read nothing before others get its blocks. */
    private static final long STALLED_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final HeldSource source;
    /** Those without an answer, and those that wait for the answer of one before. */
    private final ArrayDeque<Read> asked = new ArrayDeque<>();
    /** Those that the window is to bring. */
    private final List<Read> pending = new ArrayList<>();

    private final Set<DownloadWindow> asides = new HashSet<>();
    private @Nullable DownloadWindow window;
    private @Nullable FileChunk chunk;
    /** Where the window's next block begins. */
    private long nextOffset;
    /** Where the reads that were asked for by themselves end; a read from there on follows them. */
    private long asideEnd = -1;

    private long lastReadNanos;
    private boolean isGrown;
    private boolean wanting;
    private boolean serving;
    private boolean over;

    /** A read: into {@code into}, from its position to its limit. */
    private static final class Read {
        private long at;
        private final ByteBuffer into;
        private final Outcome.Callback<Integer> done;
        private final int length;
        private @Nullable Outcome<Integer> outcome;

        private Read(long at, ByteBuffer into, Outcome.Callback<Integer> done) {
            this.at = at;
            this.into = into;
            this.done = done;
            this.length = into.remaining();
        }

        private void take(FileChunk from) {
            int count = (int) Math.min(from.end() - at, into.remaining());
            into.put(from.bytes((int) (at - from.offset()), count));
            at += count;
        }

        private boolean isComplete() {
            return !into.hasRemaining();
        }
    }

    /** Over {@code source}, which nothing else reads. */
    public RandomReads(VersionedSource source) {
        this.source = new HeldSource(source);
    }

    public long sizeBytes() {
        return source.sizeBytes();
    }

    /** Fills {@code into} with the bytes from {@code offset} on, which are all in the file, and answers with their number; perhaps in this call. */
    public void read(long offset, ByteBuffer into, Outcome.Callback<Integer> done) {
        lastReadNanos = System.nanoTime();
        Read read = new Read(offset, into, done);
        if (window == null || offset == asideEnd) {
            begin(offset);
        }
        asked.add(read);
        pending.add(read);
        serve();
    }

    private void answer(Read read, Outcome<Integer> outcome) {
        read.outcome = outcome;
        while (!asked.isEmpty() && asked.getFirst().outcome != null) {
            Read first = asked.remove();
            first.done.accept(Objects.requireNonNull(first.outcome));
        }
    }

    private void begin(long offset) {
        leaveWindow();
        asideEnd = -1;
        isGrown = false;
        nextOffset = offset;
        long blocks = (long) FIRST_BLOCKS * source.blockSizeBytes();
        open(offset, Math.min(sizeBytes(), (offset / source.blockSizeBytes()) * source.blockSizeBytes() + blocks));
    }

    private void open(long from, long to) {
        window = new DownloadWindow(source, List.of(new DownloadWindow.Range(from, to)), true, this);
        window.start();
    }

    private void leaveWindow() {
        DownloadWindow left = window;
        window = null;
        wanting = false;
        releaseChunk();
        if (left != null) {
            left.cancel();
        }
    }

    private void releaseChunk() {
        FileChunk held = chunk;
        chunk = null;
        if (held != null) {
            held.release();
        }
    }

    private void serve() {
        if (serving) {
            return;
        }
        serving = true;
        boolean more = true;
        while (more && !over) {
            more = serveSome();
        }
        serving = false;
    }

    /** Whether there may be more to do at once. */
    private boolean serveSome() {
        takeFromChunk();
        if (pending.isEmpty() || wanting) {
            return false;
        }
        asideWhatIsElsewhere();
        if (pending.isEmpty()) {
            return false;
        }
        releaseChunk();
        wanting = true;
        DownloadWindow from = window;
        if (from != null) {
            from.want(); // perhaps the block inside this call
        }
        return !wanting;
    }

    private void takeFromChunk() {
        FileChunk from = chunk;
        if (from == null) {
            return;
        }
        List<Read> complete = new ArrayList<>();
        for (Iterator<Read> reads = pending.iterator(); reads.hasNext(); ) {
            Read read = reads.next();
            if (from.offset() <= read.at && read.at < from.end()) {
                read.take(from);
                if (read.isComplete()) {
                    reads.remove();
                    complete.add(read);
                }
            }
        }
        complete.forEach(read -> answer(read, Outcome.of(read.length)));
    }

    /** Reads that the window does not come to with its next block are asked for by themselves. */
    private void asideWhatIsElsewhere() {
        long near = (nextOffset / source.blockSizeBytes() + 1) * source.blockSizeBytes();
        List<Read> elsewhere = pending.stream()
                .filter(read -> read.at < nextOffset || read.at >= near)
                .toList();
        if (elsewhere.size() < pending.size()) {
            elsewhere = elsewhere.stream().filter(read -> read.at < nextOffset).toList();
        }
        pending.removeAll(elsewhere);
        if (pending.isEmpty()) {
            rest(); // those have more use for the blocks
        }
        elsewhere.forEach(this::readAside);
    }

    private void readAside(Read read) {
        asideEnd = read.at + read.into.remaining();
        Aside aside = new Aside(read);
        aside.begin();
    }

    @Override
    public void block(FileChunk next) {
        wanting = false;
        chunk = next;
        nextOffset = next.end();
        serve();
    }

    @Override
    public void complete() {
        wanting = false;
        if (nextOffset >= sizeBytes()) {
            window = null;
            return;
        }
        long end =
                isGrown ? sizeBytes() : Math.min(sizeBytes(), nextOffset + 4L * FIRST_BLOCKS * source.blockSizeBytes());
        isGrown = true;
        open(nextOffset, end);
        serve();
    }

    @Override
    public void failed(Refusal why) {
        leaveWindow();
        List<Read> all = List.copyOf(pending);
        pending.clear();
        all.forEach(read -> answer(read, new Outcome<>(null, why)));
    }

    @Override
    public void giveBackIfStalled() {
        if (pending.isEmpty() && System.nanoTime() - lastReadNanos >= STALLED_NANOS) {
            rest();
        }
    }

    /** Lets go of all blocks until the window is read again. */
    private void rest() {
        DownloadWindow idle = window;
        if (idle != null) {
            wanting = false;
            idle.pause();
            FileChunk held = chunk;
            if (held != null) {
                chunk = null;
                nextOffset = held.offset();
                idle.putBack(held, 0);
            }
        }
    }

    /** Nothing more is read. What is under way is refused. */
    public void close() {
        if (over) {
            return;
        }
        over = true;
        pending.clear();
        leaveWindow();
        Set.copyOf(asides).forEach(DownloadWindow::cancel);
        source.letGo();
        List<Read> all = List.copyOf(asked);
        asked.clear();
        all.forEach(read -> read.done.accept(Outcome.refused(ErrorCode.CANCELLED, "the file was closed")));
    }

    /** One read by itself. */
    private final class Aside implements DownloadWindow.Sink {
        private final Read read;
        private final DownloadWindow own;

        private Aside(Read read) {
            this.read = read;
            this.own = new DownloadWindow(
                    source, List.of(new DownloadWindow.Range(read.at, read.at + read.into.remaining())), true, this);
        }

        private void begin() {
            asides.add(own);
            own.want();
        }

        @Override
        public void block(FileChunk next) {
            read.take(next);
            next.release();
            own.want();
        }

        @Override
        public void complete() {
            asides.remove(own);
            answer(read, Outcome.of(read.length));
        }

        @Override
        public void failed(Refusal why) {
            asides.remove(own);
            answer(read, new Outcome<>(null, why));
        }

        @Override
        public void giveBackIfStalled() {
            // It holds no block longer than a copy takes.
        }
    }
}
