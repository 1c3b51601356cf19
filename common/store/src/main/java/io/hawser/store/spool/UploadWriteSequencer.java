package io.hawser.store.spool;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.store.content.FragmentFile;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.OutOfSpaceException;
import io.hawser.store.storage.StorageException;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes the fragment writes of one upload to the content writer in an order that never mixes two versions of the file, and
 * makes the commit when all are durable.
 *
 * <p>Thread: the loop.
 */
final class UploadWriteSequencer {
    private final UploadContext context;
    private final SpoolTransfer transfer;
    private final int fragmentSizeBytes;
    private final LeafCollector leaves;
    private final FragmentFile content;
    private final SpilledFragments parked;
    private final Consumer<Refusal> failed;
    private final Runnable idle;
    private int underWay;
    private boolean dropped;
    /** Those under way that are compared with what was here, followed by those that add bytes. */
    private int comparing;

    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private boolean differs;
    private boolean added;

    /**
     * For the upload of {@code transfer}.
     *
     * @param failed a write failed: the upload must end
     * @param idle nothing is under way any more
     */
    UploadWriteSequencer(UploadContext context, SpoolTransfer transfer, Consumer<Refusal> failed, Runnable idle) {
        this.context = context;
        this.transfer = transfer;
        this.fragmentSizeBytes = transfer.manifest().fragmentSizeBytes();
        this.content = context.files().file(transfer.manifest(), OpenMode.CREATE);
        this.leaves = new LeafCollector(content, fragmentSizeBytes);
        this.parked = new SpilledFragments(context, content);
        this.failed = failed;
        this.idle = idle;
    }

    /** Whether nothing is under way. */
    boolean isIdle() {
        return underWay == 0;
    }

    /** A write that has to wait until those before it are known to be of the same version. */
    private record Waiting(long index, FragmentBuffer buffer, int length, Outcome.Callback<Long> durable) {}

    /** Writes payload bytes {@code [0, length)} of the buffer, of which it takes over one reference. */
    void write(long index, FragmentBuffer buffer, int length, Outcome.Callback<Long> durable) {
        underWay++;
        parked.forget(index);
        waiting.add(new Waiting(index, buffer, length, durable));
        goOn();
    }

    /** Writes the first {@code length} bytes of a fragment that was put aside, as soon as there is a buffer. */
    void writeParked(long index, int length, Outcome.Callback<Long> durable) {
        underWay++; // until it has been read back
        context.withBuffer(buffer -> parked.unpark(index, buffer, read -> {
            underWay--;
            Refusal refusal = read.refusal();
            if (refusal == null) {
                write(index, buffer, length, durable);
            } else {
                buffer.release();
                durable.accept(Outcome.refused(refusal));
                failed.accept(refusal);
                tellIfIdle();
            }
        }));
    }

    /** Bytes of another version must not be added to what is here, so nothing is while others are compared. */
    private void goOn() {
        while (!waiting.isEmpty()) {
            Waiting next = waiting.getFirst();
            int known = transfer.arrived().length(next.index);
            if (differs || dropped) {
                waiting.removeFirst();
                refuse(next);
            } else if (comparing == 0 || next.length == known) {
                waiting.removeFirst();
                comparing += known > 0 ? 1 : 0;
                start(next.index, next.buffer, next.length, known, next.durable);
            } else {
                return;
            }
        }
    }

    private void refuse(Waiting write) {
        context.mailbox().post(() -> {
            underWay--;
            write.buffer.release();
            write.durable.accept(
                    differs
                            ? Outcome.refused(
                                    ErrorCode.DIGEST_MISMATCH,
                                    "Fragment " + write.index + " comes after bytes that differ")
                            : Outcome.refused(ErrorCode.CANCELLED, "This upload is over"));
            tellIfIdle();
        });
    }

    private void start(long index, FragmentBuffer buffer, int length, int known, Outcome.Callback<Long> durable) {
        context.space().written(transfer, length - known);
        context.writer()
                .write(new FragmentWriteTask(content, index, buffer, length, known, write -> written(write, durable)));
    }

    /** Writes the first fragment from memory, as soon as there is a buffer. */
    void writeFirst(byte[] bytes, Outcome.Callback<Long> durable) {
        underWay++; // until it has a buffer
        context.withBuffer(buffer -> {
            underWay--;
            buffer.payload(0, bytes.length).put(bytes);
            write(0, buffer, bytes.length, durable);
        });
    }

    private void written(FragmentWriteTask write, Outcome.Callback<Long> durable) {
        underWay--;
        comparing -= write.knownLength > 0 ? 1 : 0;
        differs |= write.result == FragmentWriteTask.Result.DIFFERENT;
        try {
            switch (write.result) {
                case DURABLE -> {
                    onDurable(write);
                    durable.accept(Outcome.of(write.index));
                }
                case SAME -> durable.accept(Outcome.of(write.index));
                case DIFFERENT ->
                    durable.accept(Outcome.refused(
                            ErrorCode.DIGEST_MISMATCH,
                            "Fragment " + write.index + " differs from what was sent of it before"));
                case FAILED -> {
                    Refusal why = refusalOf(write.failure);
                    durable.accept(Outcome.refused(why));
                    failed.accept(why);
                }
            }
        } finally {
            write.buffer.release();
        }
        goOn();
        tellIfIdle();
    }

    private void onDurable(FragmentWriteTask write) {
        if (dropped) {
            return;
        }
        added = true;
        context.transfers().fragmentDurable(transfer, write.fragment());
        // A short one may still grow; its leaf is read at the end.
        if (write.length == fragmentSizeBytes) {
            leaves.add(write.index, write.leaf);
        }
    }

    /** Puts bytes {@code [start, end)} of a fragment aside, see {@link Upload#park}. */
    void park(long index, FragmentBuffer buffer, int start, int end, Outcome.Callback<Long> done) {
        underWay++;
        parked.park(index, buffer, start, end, outcome -> {
            underWay--;
            tell(done, outcome);
            tellIfIdle();
        });
    }

    /** Reads back what was put aside, see {@link Upload#unpark}. */
    void unpark(long index, FragmentBuffer into, Outcome.Callback<Long> done) {
        parked.unpark(index, into, outcome -> tell(done, outcome));
    }

    private void tell(Outcome.Callback<Long> done, Outcome<Long> outcome) {
        Refusal refusal = outcome.refusal();
        done.accept(outcome);
        if (refusal != null) {
            failed.accept(refusal);
        }
    }

    /** Makes the commit of an object of that size. All of it is durable, and nothing may be written any more. */
    void commit(long sizeBytes, Outcome.Callback<Commit> made) {
        leaves.commit(sizeBytes, transfer.earlier(), context, made);
    }

    /** Bytes came that differ from those that were here: two versions, which must not become one object. */
    void noteDifference() {
        differs = true;
    }

    boolean differs() {
        return differs;
    }

    /** Whether what is here may be of two versions: bytes were added before the difference was found. */
    boolean isMixed() {
        return differs && added;
    }

    /** What is still under way counts no longer. */
    void drop() {
        dropped = true;
    }

    /** Nothing is under way, and nothing comes any more. */
    void close() {
        context.writer().close(content);
    }

    private void tellIfIdle() {
        if (underWay == 0) {
            idle.run();
        }
    }

    /** The refusal for the upload after a failed write. */
    static Refusal refusalOf(@Nullable StorageException failure) {
        return failure instanceof OutOfSpaceException
                ? new Refusal(ErrorCode.NO_SPACE, "The spool's disk is full. Try again later")
                : new Refusal(
                        ErrorCode.STORAGE_FAILED,
                        "The spool could not be written: " + failure + ". See the node's log");
    }
}
