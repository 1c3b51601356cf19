package io.hawser.agenta.upload;

import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.core.model.TransferKey;
import io.hawser.core.why.WaitStage;
import io.hawser.store.spool.Upload;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An upload whose client writes at any position and says itself where it ends, as in SFTP.
 *
 * <pre>
 *   OPEN ──end──► ENDING ──no byte is missing, and its client lives on──► COMMITTING ──durable──► DONE
 *     └─────────────┴── its client is gone, bytes are missing, refused ──► DONE (incomplete)
 * </pre>
 *
 * <p>From COMMITTING on it is complete whatever happens to the client.
 *
 * <p>Thread: the loop.
 */
public final class RandomAccessUpload implements FragmentAssembly.Listener {
    private enum State {
        OPEN,
        ENDING,
        COMMITTING,
        DONE
    }

    /** How it ended; one of the two is called. */
    public interface End {
        /** It is durable here, so many bytes. */
        void committed(TransferKey key, long sizeBytes);

        /** It is not accepted. What came may be kept for its client to continue. */
        void refused(RequestFailure failure);
    }

    /** {@code bytes} from position to limit belong at {@code start} plus the buffer's position. */
    private record PendingWrite(long start, ByteBuffer bytes, Consumer<Optional<RequestFailure>> done) {}

    private final UploadService uploads;
    private final Upload upload;
    private final TransferKey activeKey;
    private final Range range;
    private final FragmentAssembly assembly;
    private final UploadObstacleCheck target;
    private final ArrayDeque<PendingWrite> writes = new ArrayDeque<>();
    private State state = State.OPEN;
    private boolean waitsForSpace;
    private boolean wrote;
    private boolean evident;
    private boolean assembled;
    private long sizeBytes;
    private @Nullable RequestFailure failure;
    private @Nullable End end;
    private long windowNanos;
    private @Nullable EvidenceWait evidence;

    /**
     * Which bytes of the file are the upload's.
     *
     * @param shiftBytes where in the file its byte 0 belongs: a patch is a part of a file
     * @param leastEndBytes how far the client must come, counted in the upload: an upload that is continued is not complete before
     */
    public record Range(long shiftBytes, long leastEndBytes) {
        public static final Range WHOLE_FILE = new Range(0, 0);
    }

    /** Receives {@code upload}; {@code target} says whether it can have its name. */
    public RandomAccessUpload(UploadService uploads, Upload upload, Range range, UploadObstacleCheck target) {
        this.uploads = uploads;
        this.upload = upload;
        this.range = range;
        this.target = target;
        this.activeKey = upload.key();
        this.assembly = new FragmentAssembly(uploads.loop(), uploads.buffers(), upload, 0, this);
        uploads.active().began(activeKey, this::stage);
        target.whenKnown(this::targetKnown);
    }

    public TransferKey key() {
        return upload.key();
    }

    /** Bytes that came. */
    public long receivedBytes() {
        return assembly.receivedBytes();
    }

    /** Whether its client can do nothing more to it. */
    public boolean isOver() {
        return state == State.COMMITTING || state == State.DONE;
    }

    private WaitStage stage() {
        if (state == State.COMMITTING) {
            return WaitStage.FORCE;
        } else if (assembly.waitsForSpace()) {
            return WaitStage.SPACE;
        }
        return assembly.isHeldBack() ? WaitStage.FORCE : WaitStage.CLIENT;
    }

    /** Takes bytes that belong at {@code position} in the file, in the order of the calls; {@code done} gets the failure, or nothing when they are in memory. */
    public void write(long position, ByteBuffer bytes, Consumer<Optional<RequestFailure>> done) {
        if (position < range.shiftBytes()) {
            done.accept(Optional.of(new RequestFailure(
                    RequestFailure.Reason.BAD_POSITION,
                    "a part of a file is written from its first position on, here from " + range.shiftBytes())));
            return;
        }
        wrote |= bytes.hasRemaining();
        writes.add(new PendingWrite(position - range.shiftBytes() - bytes.position(), bytes, done));
        pump();
    }

    private void pump() {
        while (failure == null && state == State.OPEN && !writes.isEmpty()) {
            PendingWrite next = writes.getFirst();
            if (!take(next)) {
                waitForSpace();
                return;
            }
            if (failure == null && state == State.OPEN) {
                writes.removeFirst();
                next.done.accept(Optional.empty());
            }
        }
        if (failure != null) {
            failAll(failure);
        } else if (end != null && state == State.OPEN) {
            beginEnd();
        }
    }

    /** Whether all of it is in memory, or never will be. */
    private boolean take(PendingWrite write) {
        ByteBuffer bytes = write.bytes;
        while (bytes.hasRemaining() && failure == null && state == State.OPEN) {
            long position = write.start + bytes.position();
            ByteBuf space = assembly.space(position, bytes.remaining());
            if (space == null) {
                return state != State.OPEN;
            }
            int count = Math.min(space.writableBytes(), bytes.remaining());
            try {
                space.writeBytes(bytes.slice(bytes.position(), count));
            } finally {
                space.release();
            }
            bytes.position(bytes.position() + count);
            assembly.received(position, count);
        }
        return true;
    }

    private void waitForSpace() {
        if (!waitsForSpace) {
            waitsForSpace = true;
            assembly.whenSpace(() -> {
                waitsForSpace = false;
                pump();
            });
        }
    }

    private void failAll(RequestFailure why) {
        List<PendingWrite> all = List.copyOf(writes);
        writes.clear();
        all.forEach(write -> write.done.accept(Optional.of(why)));
        End waiting = end;
        if (waiting != null) {
            end = null;
            waiting.refused(why);
        }
    }

    /** Calls {@code done} with a failure, or with nothing when all that has come is durable. */
    public void sync(Consumer<Optional<RequestFailure>> done) {
        if (failure != null) {
            done.accept(Optional.of(failure));
            return;
        }
        // After the writes before it: an empty one has its place among them.
        write(
                range.shiftBytes(),
                ByteBuffer.allocate(0),
                written -> written.ifPresentOrElse(
                        why -> done.accept(written),
                        () -> assembly.sync(synced -> done.accept(
                                Optional.ofNullable(synced.refusal()).map(RequestFailure::of)))));
    }

    /**
     * The client has said that this is all. It is believed when the client has lived for {@code windowNanos} after it, see {@link
     * EndEvidence}.
     */
    public void end(long nanos, End ended) {
        windowNanos = nanos;
        end = ended;
        pump();
    }

    private void beginEnd() {
        if (!wrote && upload.resumePositionBytes() > 0) {
            // It was opened and left as it is.
            breakOff("nothing was added", () -> {});
            return;
        }
        state = State.ENDING;
        evidence = new EvidenceWait(
                uploads.loop(),
                new EndEvidence(System.nanoTime(), windowNanos, assembly.receivedBytes(), EndEvidence.NOT_ANNOUNCED),
                this::decided);
        evidence.begin(false, windowNanos);
        assembly.finish(this::allThere);
    }

    private void allThere(Outcome<Long> outcome) {
        Refusal refusal = outcome.refusal();
        if (state != State.ENDING) {
            return;
        }
        if (refusal != null) {
            incomplete(refusal.detail());
        } else if (outcome.get() < range.leastEndBytes()) {
            incomplete(range.leastEndBytes() + " bytes of it had come before, and it was written to "
                    + (outcome.get() + range.shiftBytes()) + " only");
        } else {
            assembled = true;
            sizeBytes = outcome.get();
            finishIfReady();
        }
    }

    private void incomplete(String why) {
        RequestFailure told = new RequestFailure(RequestFailure.Reason.FAILED, "the upload is not complete: " + why);
        breakOff("bytes are missing", told, () -> {});
    }

    private void decided(EndEvidence.Verdict verdict) {
        if (state != State.ENDING) {
            return;
        }
        if (verdict == EndEvidence.Verdict.COMPLETE) {
            evident = true;
            finishIfReady();
        } else {
            breakOff("its client was gone with its last byte", () -> {});
        }
    }

    private void finishIfReady() {
        if (state == State.ENDING && assembled && evident && target.isClear()) {
            to(State.COMMITTING);
            upload.finish(sizeBytes, this::committed);
        }
    }

    private void committed(Outcome<Commit> outcome) {
        to(State.DONE);
        assembly.close();
        Refusal refusal = outcome.refusal();
        if (refusal != null) {
            new InterruptedUpload(uploads, upload, true).refused(refusal, this::fail);
            return;
        }
        End waiting = end;
        end = null;
        if (waiting != null) {
            waiting.committed(upload.key(), outcome.get().sizeBytes());
        }
    }

    private void to(State next) {
        state = next;
        if (next == State.DONE) {
            uploads.active().ended(activeKey);
        }
    }

    private void fail(RequestFailure why) {
        if (failure == null) {
            failure = why;
        }
        failAll(why);
    }

    private void targetKnown(String obstacle) {
        if (isOver()) {
            return;
        }
        if (obstacle.isEmpty()) {
            finishIfReady();
        } else {
            to(State.DONE);
            assembly.close();
            upload.cancel(obstacle);
            fail(new RequestFailure(RequestFailure.Reason.BAD_NAME, obstacle));
        }
    }

    /** Its client does something else, so it has outlived the end. */
    public void clientActed() {
        if (evidence != null) {
            evidence.commandArrived();
        }
    }

    /** It is not to be accepted, for a reason that its front knows. What came is kept for its client to continue. */
    public void refuse(RequestFailure why) {
        breakOff(why.words(), why, () -> {});
    }

    /** Its client is gone. What came is kept, unless it is complete; {@code kept} runs then. */
    public void clientGone(Runnable kept) {
        if (evidence != null) {
            evidence.controlClosed();
        }
        breakOff("its client was gone before it was complete", kept);
    }

    private void breakOff(String reason, Runnable kept) {
        breakOff(
                reason,
                new RequestFailure(RequestFailure.Reason.FAILED, "the upload is not complete: " + reason),
                kept);
    }

    private void breakOff(String reason, RequestFailure told, Runnable kept) {
        if (isOver()) {
            kept.run();
            return;
        }
        to(State.DONE);
        assembly.handOverTail();
        assembly.close();
        new InterruptedUpload(uploads, upload, true).keep(reason, () -> {
            fail(told);
            kept.run();
        });
    }

    /** Its client has deleted it: nothing of it is kept. */
    public void drop(String reason) {
        if (!isOver()) {
            to(State.DONE);
            assembly.close();
            upload.cancel(reason);
            fail(new RequestFailure(RequestFailure.Reason.NOT_FOUND, reason));
        }
    }

    @Override
    public void durable(long start, long end) {
        // Its client is told of the whole alone.
    }

    @Override
    public void refused(Refusal refusal) {
        if (!isOver()) {
            to(State.DONE);
            new InterruptedUpload(uploads, upload, true).refused(refusal, this::fail);
        }
    }
}
