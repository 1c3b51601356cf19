package io.hawser.agenta.upload;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.FragmentRanges;
import io.hawser.store.spool.Upload;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes fragments of bytes that come in any order, and hands them to the spool.
 *
 * <p>A fragment that has been begun stays in its buffer until it is complete, and its bytes are always taken. A connection that needs a
 * further buffer waits when there is none, so that a sender that is far ahead on one connection is held back there. That
 * alone could wait for ever, since the bytes that are missing may be after the ones that are not read; so when some wait
 * and nothing comes, the fragments that lie idle are spilled to the disk ({@link Upload#park}) and their buffers go round. So they
 * are when other uploads need them more.
 *
 * <p>Bytes that came before, in this upload or in the one that it continues, are compared and not stored again.
 *
 * <p>Thread: the loop.
 */
public final class FragmentAssembly {
    /** One part in so many of the pool is left to others by each upload. */
    private static final int OTHERS_PART = 4;

    private static final int MAX_SPILLED = 4096;
    private static final int MAX_RUNS = 4096;
    private static final int SCRATCH_BYTES = 64 << 10;
    private static final long LOOK_MILLIS = 3;
    /** While other bytes come, a fragment may be idle that long; its connection may only be slow. */
    private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** What the owner of an upload wants to know. */
    public interface Listener {
        /** Bytes {@code [start, end)} are durable. */
        void durable(long start, long end);

        /** The upload cannot continue. */
        void refused(Refusal refusal);
    }

    private final EventLoop loop;
    private final BufferScheduler buffers;
    private final Upload upload;
    private final Listener listener;
    private final int fragmentBytes;
    private final int maxBuffers;
    private final Map<Long, PartialUploadFragment> pieces = new HashMap<>();
    /** Fragments of which all bytes have come. */
    private final FragmentRanges complete;

    private final List<Runnable> waiters = new ArrayList<>();
    private final ByteBuf scratch = Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(SCRATCH_BYTES));
    private int buffersInUse;
    private int unwritten;
    private int spilled;
    private long endBytes;
    private long receivedBytes;
    private long receivedAtLastLook;
    private boolean waitingForSpool;
    private boolean waitingForBuffer;
    private boolean lookDue;
    private boolean over;
    private Outcome.@Nullable Callback<Long> finishing;
    private final List<Outcome.Callback<Long>> syncing = new ArrayList<>();

    /**
     * Assembles {@code upload}, of which bytes may be there already.
     *
     * @param givenEndBytes the end of those that will not come again: the object ends there or later, even if more is there
     */
    public FragmentAssembly(
            EventLoop loop, BufferScheduler buffers, Upload upload, long givenEndBytes, Listener listener) {
        this.loop = loop;
        this.buffers = buffers;
        this.upload = upload;
        this.listener = listener;
        this.fragmentBytes = upload.manifest().fragmentSizeBytes();
        this.maxBuffers = Math.max(1, buffers.capacity() - buffers.capacity() / OTHERS_PART);
        this.complete = upload.durableFragments();
        this.endBytes = givenEndBytes;
    }

    /** Payload bytes that came, also those that had come before. */
    public long receivedBytes() {
        return receivedBytes;
    }

    /** Whether a connection is not read because this node has no room. */
    public boolean isHeldBack() {
        return !waiters.isEmpty();
    }

    /** Whether the client waits because the spool has no space. */
    public boolean waitsForSpace() {
        return isHeldBack() && waitingForSpool;
    }

    /** Whether there is memory for the byte at {@code position}; it is obtained if need be. */
    public boolean hasSpace(long position) {
        if (over) {
            return false;
        }
        long index = position / fragmentBytes;
        PartialUploadFragment piece = pieces.get(index);
        if (piece == null) {
            return begin(index);
        }
        if (piece.stage == PartialUploadFragment.Stage.SPILLED) {
            fetch(piece);
        }
        return piece.stage == PartialUploadFragment.Stage.OPEN;
    }

    /** Memory for bytes from {@code position} on, at most {@code length}; the caller takes a reference. Null if there is none. */
    @Nullable
    public ByteBuf space(long position, long length) {
        if (!hasSpace(position)) {
            return null;
        }
        PartialUploadFragment piece = piece(position);
        int offset = (int) (position % fragmentBytes);
        if (piece.cover.contains(offset)) {
            long again = Math.min(length, piece.cover.firstMissing(offset) - offset);
            return scratch.retainedSlice(0, (int) Math.min(again, SCRATCH_BYTES))
                    .clear();
        }
        long next = piece.cover.firstPresent(offset);
        long room = Math.min(length, (next < 0 ? fragmentBytes : next) - offset);
        return piece.openBuffer().retainedPayload(offset, (int) room).clear();
    }

    /** The next {@code length} bytes from {@code position} on are where {@link #space} has just said. */
    public void received(long position, int length) {
        PartialUploadFragment piece = piece(position);
        int offset = (int) (position % fragmentBytes);
        receivedBytes += length;
        endBytes = Math.max(endBytes, position + length);
        piece.touched();
        if (piece.cover.contains(offset)) {
            compare(piece, offset, length);
            return;
        }
        piece.cover.add(offset, offset + (long) length);
        piece.changed = true;
        if (piece.cover.containsAll(0, fragmentBytes)) {
            handOver(piece, fragmentBytes);
        } else if (piece.cover.runCount() > MAX_RUNS) {
            refuse(ErrorCode.MALFORMED, "The blocks are scattered too widely");
        }
    }

    private void compare(PartialUploadFragment piece, int offset, int length) {
        if (!piece.openBuffer().payload(offset, length).equals(scratch.nioBuffer(0, length))) {
            refuse(
                    ErrorCode.DIGEST_MISMATCH,
                    "The bytes at " + (piece.index * fragmentBytes + offset) + " differ from those that came before");
        }
    }

    /** Runs {@code again} once, later, when {@link #hasSpace} may be true. */
    public void whenSpace(Runnable again) {
        waiters.add(again);
    }

    private PartialUploadFragment piece(long position) {
        PartialUploadFragment piece = pieces.get(position / fragmentBytes);
        if (piece == null) {
            throw new IllegalStateException("no space was asked for at " + position);
        }
        return piece;
    }

    private boolean begin(long index) {
        FragmentBuffer buffer = acquire();
        if (buffer == null) {
            return false;
        }
        PartialUploadFragment piece = new PartialUploadFragment(index, buffer);
        pieces.put(index, piece);
        unwritten++;
        int durable = upload.durableLength(index);
        if (durable == 0) {
            open(piece);
            return true;
        }
        piece.cover.add(0, durable);
        piece.stage = PartialUploadFragment.Stage.LOADING;
        upload.load(index, buffer, loaded -> fetched(piece, loaded.refusal()));
        return false;
    }

    private void fetch(PartialUploadFragment piece) {
        FragmentBuffer buffer = acquire();
        if (buffer != null) {
            spilled--;
            piece.buffer = buffer;
            piece.stage = PartialUploadFragment.Stage.LOADING;
            upload.unpark(piece.index, buffer, read -> fetched(piece, read.refusal()));
        }
    }

    private void fetched(PartialUploadFragment piece, @Nullable Refusal refusal) {
        if (over) {
            release(piece);
        } else if (refusal != null) {
            release(piece);
            refused(refusal);
        } else {
            open(piece);
            wake();
        }
    }

    private void open(PartialUploadFragment piece) {
        piece.opened(buffers.hold(() -> othersWait(piece)));
    }

    /** Another upload needs the buffer more. */
    private void othersWait(PartialUploadFragment piece) {
        if (piece.stage == PartialUploadFragment.Stage.OPEN && (spilled < MAX_SPILLED || !piece.changed)) {
            spill(piece);
        }
    }

    private @Nullable FragmentBuffer acquire() {
        if (buffersInUse >= maxBuffers || waitingForSpool) {
            lookLater();
            return null;
        }
        if (!upload.reserve(unwritten + 1)) {
            waitingForSpool = true;
            upload.whenSpace(this::spoolHasSpace);
            return null;
        }
        FragmentBuffer buffer = buffers.tryAcquire();
        if (buffer != null) {
            buffersInUse++;
            return buffer;
        }
        lookLater();
        if (!waitingForBuffer) {
            waitingForBuffer = true;
            buffers.whenFree(() -> {
                waitingForBuffer = false;
                wake();
            });
        }
        return null;
    }

    private void spoolHasSpace(Outcome<Upload> outcome) {
        waitingForSpool = false;
        Refusal refusal = outcome.refusal();
        if (refusal != null) {
            refused(refusal);
        } else {
            wake();
        }
    }

    private void handOver(PartialUploadFragment piece, int length) {
        FragmentBuffer buffer = piece.openBuffer();
        piece.buffer = null;
        piece.left(PartialUploadFragment.Stage.WRITING);
        unwritten--;
        if (length == fragmentBytes) {
            complete.add(piece.index);
        }
        upload.write(piece.index, buffer, length, outcome -> written(piece, length, outcome.refusal()));
        buffer.release();
    }

    private void written(PartialUploadFragment piece, int length, @Nullable Refusal refusal) {
        buffersInUse--;
        pieces.remove(piece.index);
        if (refusal != null) {
            refused(refusal);
        } else {
            listener.durable(piece.index * fragmentBytes, piece.index * fragmentBytes + length);
            wake();
        }
    }

    private void lookLater() {
        if (!lookDue) {
            lookDue = true;
            receivedAtLastLook = receivedBytes;
            var unused = loop.schedule(this::look, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Some may wait for buffers: what lies idle is spilled. */
    private void look() {
        lookDue = false;
        if (over || waiters.isEmpty()) {
            return;
        }
        long idleNanos = receivedBytes == receivedAtLastLook ? 0 : IDLE_NANOS;
        long now = System.nanoTime();
        pieces.values().stream()
                .filter(piece ->
                        piece.stage == PartialUploadFragment.Stage.OPEN && now - piece.touchedNanos() >= idleNanos)
                .sorted(Comparator.comparingLong(piece -> piece.touchedNanos() - now))
                .limit(waiters.size())
                .toList()
                .forEach(this::spill);
        lookLater();
        if (pieces.values().stream().noneMatch(piece -> piece.stage == PartialUploadFragment.Stage.OPEN)) {
            wake();
        }
    }

    private void spill(PartialUploadFragment piece) {
        if (over) {
            return;
        }
        if (!piece.changed) {
            pieces.remove(piece.index); // it is durable as it is, or nothing of it has come
            unwritten--;
            piece.left(PartialUploadFragment.Stage.SPILLED);
            release(piece);
            wake();
        } else if (spilled >= MAX_SPILLED) {
            refuse(ErrorCode.MALFORMED, "The blocks are scattered too widely");
        } else {
            spilled++;
            piece.left(PartialUploadFragment.Stage.SPILLING);
            int start = (int) piece.cover.firstPresent(0) & -FragmentBuffer.ALIGNMENT_BYTES;
            int end = FragmentBuffer.roundUp((int) piece.cover.end());
            upload.park(piece.index, piece.openBuffer(), start, end, outcome -> spilled(piece, outcome.refusal()));
        }
    }

    private void spilled(PartialUploadFragment piece, @Nullable Refusal refusal) {
        release(piece);
        piece.stage = PartialUploadFragment.Stage.SPILLED;
        if (refusal != null) {
            refused(refusal);
        } else {
            wake();
        }
    }

    private void release(PartialUploadFragment piece) {
        FragmentBuffer buffer = piece.buffer;
        if (buffer != null) {
            piece.buffer = null;
            buffersInUse--;
            buffer.release();
        }
    }

    private void wake() {
        if (over) {
            return;
        }
        List<Runnable> woken = List.copyOf(waiters);
        waiters.clear();
        woken.forEach(Runnable::run);
        settleSyncs();
        if (finishing != null) {
            settle();
        }
    }

    private void refuse(ErrorCode code, String detail) {
        refused(new Refusal(code, detail));
    }

    private void refused(Refusal refusal) {
        if (!over) {
            close();
            listener.refused(refusal);
        }
    }

    /**
     * Everything has come: hands the tail over. {@code done} gets the object's size, perhaps in this call, or {@code MALFORMED} if
     * bytes are missing.
     */
    public void finish(Outcome.Callback<Long> done) {
        finishing = done;
        settle();
    }

    private void settle() {
        Outcome.Callback<Long> done = finishing;
        if (over || done == null) {
            return;
        }
        if (pieces.values().stream().anyMatch(PartialUploadFragment::isMoving)) {
            return;
        }
        long tailIndex = endBytes / fragmentBytes;
        int tailLength = (int) (endBytes % fragmentBytes);
        long missing = firstMissing(tailIndex, tailLength);
        if (missing >= 0) {
            finishing = null;
            done.accept(Outcome.refused(ErrorCode.MALFORMED, "the bytes at " + missing + " never came"));
            return;
        }
        PartialUploadFragment tail = pieces.get(tailIndex);
        if (tail != null && tail.stage == PartialUploadFragment.Stage.SPILLED) {
            fetch(tail);
            if (tail.stage == PartialUploadFragment.Stage.SPILLED) {
                whenSpace(() -> {}); // so that buffers are looked for; every wake-up comes back here
            }
            return;
        }
        finishing = null;
        if (tail != null && tail.changed && tail.stage == PartialUploadFragment.Stage.OPEN) {
            handOver(tail, tailLength);
        }
        done.accept(Outcome.of(endBytes));
    }

    /**
     * Makes durable all that has come, and then calls {@code done} with where it ends; refused with {@code MALFORMED} if bytes before that are
     * missing. More may come meanwhile and afterwards.
     */
    public void sync(Outcome.Callback<Long> done) {
        syncing.add(done);
        settleSyncs();
    }

    private void settleSyncs() {
        if (over || syncing.isEmpty() || pieces.values().stream().anyMatch(FragmentAssembly::isBusy)) {
            return;
        }
        long tailIndex = endBytes / fragmentBytes;
        int tailLength = (int) (endBytes % fragmentBytes);
        long missing = firstMissing(tailIndex, tailLength);
        PartialUploadFragment tail = pieces.get(tailIndex);
        if (missing >= 0) {
            answerSyncs(Outcome.refused(ErrorCode.MALFORMED, "the bytes at " + missing + " have not come"));
        } else if (tail == null || !tail.changed) {
            answerSyncs(Outcome.of(endBytes));
        } else if (tail.stage == PartialUploadFragment.Stage.OPEN) {
            spill(tail); // that puts the transfer in the journal, also a small one
        } else {
            writeSpilled(tail, tailLength);
        }
    }

    private static boolean isBusy(PartialUploadFragment piece) {
        return piece.isMoving() || piece.stage == PartialUploadFragment.Stage.WRITING;
    }

    private void writeSpilled(PartialUploadFragment tail, int length) {
        tail.stage = PartialUploadFragment.Stage.WRITING;
        spilled--;
        unwritten--;
        upload.writeParked(tail.index, length, outcome -> {
            pieces.remove(tail.index);
            Refusal refusal = outcome.refusal();
            if (refusal != null) {
                refused(refusal);
            } else {
                listener.durable(tail.index * fragmentBytes, tail.index * fragmentBytes + length);
                wake();
            }
        });
    }

    private void answerSyncs(Outcome<Long> outcome) {
        List<Outcome.Callback<Long>> all = List.copyOf(syncing);
        syncing.clear();
        all.forEach(done -> done.accept(outcome));
    }

    /**
     * The upload breaks off: the spool gets what there is of the fragment in which the contiguous bytes end, so that it can continue there.
     * {@link #close} follows.
     */
    public void handOverTail() {
        long index = complete.firstMissing(0);
        PartialUploadFragment tail = pieces.get(index);
        boolean isLast = complete.end() <= index && pieces.keySet().stream().allMatch(other -> other <= index);
        if (over || tail == null || !tail.changed || !isLast) {
            return;
        }
        int filled = (int) tail.cover.firstMissing(0);
        if (filled > 0 && tail.stage == PartialUploadFragment.Stage.OPEN) {
            handOver(tail, filled);
        } else if (filled > 0 && tail.stage == PartialUploadFragment.Stage.SPILLED) {
            writeSpilled(tail, filled);
        }
    }

    /** The first position of which the byte has not come, or -1. */
    private long firstMissing(long tailIndex, int tailLength) {
        long index = complete.firstMissing(0);
        PartialUploadFragment piece = pieces.get(index);
        long offset = piece == null ? upload.durableLength(index) : piece.cover.firstMissing(0);
        return index < tailIndex || (index == tailIndex && offset < tailLength) ? index * fragmentBytes + offset : -1;
    }

    /** Takes no more and gives back what it holds. Fragments that are not complete are forgotten. */
    public void close() {
        over = true;
        waiters.clear();
        finishing = null;
        answerSyncs(Outcome.refused(ErrorCode.CANCELLED, "the upload has ended"));
        pieces.values().stream()
                .filter(piece -> piece.stage == PartialUploadFragment.Stage.OPEN)
                .forEach(piece -> {
                    piece.left(PartialUploadFragment.Stage.SPILLED);
                    release(piece);
                });
    }
}
