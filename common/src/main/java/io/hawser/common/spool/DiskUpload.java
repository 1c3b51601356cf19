package io.hawser.common.spool;

import io.hawser.common.buffer.FragmentBuffer;
import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.Fragment;
import io.hawser.common.hop.Outcome;
import io.hawser.common.hop.Refusal;
import io.hawser.common.model.Commit;
import io.hawser.common.model.FragmentRanges;
import io.hawser.common.model.Manifest;
import io.hawser.common.model.TransferKey;
import io.hawser.common.storage.OutOfSpaceException;
import io.hawser.common.storage.StorageException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An upload into the spool.
 *
 * <pre>
 *                finish                  commit durable
 *   RECEIVING ───────────► FINISHING ─────────────────────────┐
 *    │   │ abandon                       break durable        ▼
 *    │   └───────────────► LEAVING ────────────────────────► OVER
 *    └──────────────────── cancel, refusal, failure ──────────┘
 * </pre>
 *
 * <p>It is <em>held</em> until its first large write, or until a newer transfer of its path appears: nothing of it is in the
 * journal, and at most {@link Spool#SMALL_LIMIT_BYTES} are in memory. If it is finished then, all of it is one record.
 *
 * <p>Thread: the loop.
 */
final class DiskUpload implements Upload, SpaceQueue.Waiter {
    private enum Stage {
        RECEIVING,
        FINISHING,
        LEAVING,
        OVER
    }

    private final UploadContext context;
    private final SpoolTransfer transfer;
    private final Manifest manifest;
    private final LeafCollector leaves;
    private final WritableContent content;
    private final ParkedFragments parked;
    private final long resumePositionBytes;

    private Stage stage = Stage.RECEIVING;
    private boolean opened;
    private byte @Nullable [] held;
    private final List<Outcome.Callback<Long>> heldCallbacks = new ArrayList<>(1);
    private int writesUnderWay;
    private int fragmentsWanted = 1;
    private long finalSizeBytes;
    private Outcome.@Nullable Callback<Commit> finished;
    private Outcome.@Nullable Callback<Upload> spaceWaiter;
    private String leaveReason = "";

    DiskUpload(UploadContext context, SpoolTransfer transfer, boolean resumed) {
        this.context = context;
        this.transfer = transfer;
        this.manifest = transfer.manifest();
        this.leaves = new LeafCollector(transfer.key(), manifest.fragmentSizeBytes());
        this.content = new WritableContent(context.files(), transfer.key(), true);
        this.parked = new ParkedFragments(context, content, manifest.fragmentSizeBytes());
        this.resumePositionBytes = resumed ? transfer.arrived().prefixBytes() : 0;
        this.opened = resumed;
    }

    @Override
    public TransferKey key() {
        return transfer.key();
    }

    @Override
    public Manifest manifest() {
        return manifest;
    }

    SpoolTransfer transfer() {
        return transfer;
    }

    @Override
    public long resumePositionBytes() {
        return resumePositionBytes;
    }

    /** Whether nothing of it is in the journal yet. */
    boolean isHeld() {
        return !opened;
    }

    @Override
    public void loadPartial(FragmentBuffer into, Outcome.Callback<Integer> done) {
        if (resumePositionBytes % manifest.fragmentSizeBytes() == 0) {
            context.mailbox().post(() -> done.accept(Outcome.of(0)));
        } else {
            load(resumePositionBytes / manifest.fragmentSizeBytes(), into, done);
        }
    }

    @Override
    public void load(long index, FragmentBuffer into, Outcome.Callback<Integer> done) {
        int length = durableLength(index);
        ContentReader.Place place = ContentReader.Place.of(transfer, index, length);
        into.retain();
        context.disk().execute(() -> {
            Outcome<Fragment> read = context.reader().read(place, into);
            context.mailbox().post(() -> {
                into.release();
                Refusal refusal = read.refusal();
                done.accept(refusal == null ? Outcome.of(length) : Outcome.refused(refusal.code(), refusal.detail()));
            });
        });
    }

    @Override
    public int durableLength(long index) {
        return transfer.arrived().length(index);
    }

    @Override
    public FragmentRanges durableFragments() {
        return transfer.arrived().full().copy();
    }

    @Override
    public long durableEndBytes() {
        return transfer.arrived().endBytes();
    }

    @Override
    public void park(long index, FragmentBuffer buffer, int start, int end, Outcome.Callback<Long> done) {
        if (stage != Stage.RECEIVING) {
            context.mailbox().post(() -> done.accept(Outcome.refused(ErrorCode.CANCELLED, "This upload is over")));
            return;
        }
        open();
        writesUnderWay++;
        parked.park(index, buffer, start, end, outcome -> {
            writesUnderWay--;
            Refusal refusal = outcome.refusal();
            done.accept(outcome);
            if (refusal != null) {
                fail(refusal);
            }
            whenWritesAreDone();
        });
    }

    @Override
    public void unpark(long index, FragmentBuffer into, Outcome.Callback<Long> done) {
        parked.unpark(index, into, done);
    }

    @Override
    public boolean reserve(int fragments) {
        long wanted = (long) fragments * manifest.fragmentSizeBytes();
        fragmentsWanted = fragments;
        return manifest.sizeKnown()
                || transfer.reservedBytes() >= wanted
                || context.ledger().reserve(transfer, wanted - transfer.reservedBytes());
    }

    @Override
    public void whenSpace(Outcome.Callback<Upload> done) {
        spaceWaiter = done;
        context.spaceQueue().add(this, context.epochMillis().getAsLong());
    }

    @Override
    public long number() {
        return manifest.number();
    }

    @Override
    public boolean tryGoOn() {
        Outcome.Callback<Upload> waiter = spaceWaiter;
        if (waiter != null && !reserve(fragmentsWanted)) {
            return false;
        }
        spaceWaiter = null;
        if (waiter != null) {
            context.mailbox().post(() -> waiter.accept(Outcome.of(this)));
        }
        return true;
    }

    @Override
    public void endForSpace() {
        fail(new Refusal(
                ErrorCode.NO_SPACE,
                "The spool is full, and of the uploads without a known size this is the youngest. Try again later"));
    }

    @Override
    public void write(long index, FragmentBuffer buffer, int length, Outcome.Callback<Long> durable) {
        Refusal bad = check(index, length);
        if (bad != null) {
            context.mailbox().post(() -> durable.accept(Outcome.refused(bad.code(), bad.detail())));
            return;
        }
        if (canHold(index, length)) {
            byte[] bytes = new byte[length];
            buffer.payload(0, length).get(bytes);
            held = bytes;
            heldCallbacks.add(durable);
            return;
        }
        open();
        if (index == 0 && held != null) {
            held = null; // it grew
            heldCallbacks.add(durable);
            List<Outcome.Callback<Long>> all = List.copyOf(heldCallbacks);
            heldCallbacks.clear();
            submit(index, buffer.retain(), length, outcome -> all.forEach(callback -> callback.accept(outcome)));
        } else {
            submit(index, buffer.retain(), length, durable);
        }
    }

    private @Nullable Refusal check(long index, int length) {
        if (stage == Stage.OVER) {
            Refusal why = transfer.trail().endWanted();
            return why != null ? why : new Refusal(ErrorCode.CANCELLED, "This upload is over");
        }
        if (stage != Stage.RECEIVING) {
            throw new IllegalStateException("a fragment after the end of upload " + key());
        }
        if (index < 0 || length < 1 || length > manifest.fragmentSizeBytes()) {
            throw new IllegalArgumentException("fragment " + index + " of " + length + " bytes");
        }
        if (manifest.sizeKnown() && index * manifest.fragmentSizeBytes() + length > manifest.sizeBytes()) {
            return new Refusal(
                    ErrorCode.MALFORMED, "More bytes came than the " + manifest.sizeBytes() + " that were announced");
        }
        if (length < transfer.arrived().length(index)) {
            return new Refusal(ErrorCode.MALFORMED, "Fragment " + index + " got shorter");
        }
        long more = (long) length - transfer.arrived().length(index);
        if (!manifest.sizeKnown()
                && transfer.reservedBytes() < more
                && !context.ledger().reserve(transfer, more - transfer.reservedBytes())) {
            Refusal full = new Refusal(ErrorCode.NO_SPACE, "The spool is full. Try again later");
            fail(full);
            return full;
        }
        return null;
    }

    private boolean canHold(long index, int length) {
        boolean last = manifest.sizeKnown() ? length == manifest.sizeBytes() : length < manifest.fragmentSizeBytes();
        return !opened && index == 0 && last && length <= Spool.SMALL_LIMIT_BYTES && SpoolJournal.fitsSmall(manifest);
    }

    /** Writes its first journal record now, if that has not been done. */
    void open() {
        if (!opened) {
            opened = true;
            context.uploads().opened(this);
            context.transfers().open(transfer, born -> {
                Refusal refusal = born.refusal();
                if (refusal != null) {
                    fail(refusal);
                }
            });
        }
    }

    /** Takes over one reference of the buffer. */
    private void submit(long index, FragmentBuffer buffer, int length, Outcome.Callback<Long> durable) {
        int known = transfer.arrived().length(index);
        writesUnderWay++;
        context.ledger().written(transfer, length - known);
        context.writer()
                .write(new FragmentWrite(
                        content,
                        index,
                        buffer,
                        length,
                        manifest.fragmentSizeBytes(),
                        known,
                        write -> written(write, durable)));
    }

    private void written(FragmentWrite write, Outcome.Callback<Long> durable) {
        writesUnderWay--;
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
                    durable.accept(Outcome.refused(why.code(), why.detail()));
                    fail(why);
                }
            }
        } finally {
            write.buffer.release();
        }
        whenWritesAreDone();
    }

    private void onDurable(FragmentWrite write) {
        if (stage == Stage.OVER) {
            return;
        }
        context.transfers()
                .fragmentDurable(
                        transfer,
                        new Fragment(key(), write.index, write.length, write.crc32c, write.leaf, write.buffer, 0));
        // A short one may still grow; its leaf is read at the end.
        if (write.length == manifest.fragmentSizeBytes()) {
            leaves.add(write.index, write.leaf);
        }
    }

    static Refusal refusalOf(@Nullable StorageException failure) {
        return failure instanceof OutOfSpaceException
                ? new Refusal(ErrorCode.NO_SPACE, "The spool's disk is full. Try again later")
                : new Refusal(
                        ErrorCode.STORAGE_FAILED,
                        "The spool could not be written: " + failure + ". See the node's log");
    }

    private void whenWritesAreDone() {
        if (writesUnderWay > 0) {
            return;
        }
        switch (stage) {
            case FINISHING -> commitLarge();
            case LEAVING -> suspend();
            case OVER -> context.writer().close(content, () -> {});
            case RECEIVING -> {}
        }
    }

    @Override
    public void finish(long sizeBytes, Outcome.Callback<Commit> durable) {
        if (stage == Stage.OVER) {
            Refusal why = transfer.trail().endWanted();
            context.mailbox()
                    .post(() -> durable.accept(
                            why == null
                                    ? Outcome.refused(ErrorCode.CANCELLED, "This upload is over")
                                    : Outcome.refused(why.code(), why.detail())));
            return;
        }
        finished = durable;
        finalSizeBytes = sizeBytes;
        byte[] small = held == null ? new byte[0] : held;
        stage = Stage.FINISHING;
        if (manifest.sizeKnown() && manifest.sizeBytes() != sizeBytes) {
            incomplete(manifest.sizeBytes() + " bytes were announced, and " + sizeBytes + " came");
        } else if (opened && held == null) {
            whenWritesAreDone();
        } else if (small.length != sizeBytes) {
            incomplete(sizeBytes + " bytes were announced, and " + small.length + " came");
        } else if (!opened && SpoolJournal.fitsSmall(manifest)) {
            commitSmall(small);
        } else {
            open();
            if (small.length > 0) {
                submitHeld(small);
            } else {
                whenWritesAreDone();
            }
        }
    }

    private void incomplete(String detail) {
        Refusal why = new Refusal(ErrorCode.MALFORMED, "The upload is not complete: " + detail);
        // Not inside finish: its caller may not know the upload as finished yet.
        context.mailbox().post(() -> fail(why));
    }

    private void commitSmall(byte[] bytes) {
        opened = true;
        context.uploads().opened(this);
        context.transfers().small(transfer, ByteBuffer.wrap(bytes), outcome -> {
            Refusal refusal = outcome.refusal();
            over();
            answerHeld(refusal == null ? Outcome.of(0L) : Outcome.refused(refusal.code(), refusal.detail()));
            answer(outcome);
        });
    }

    private void commitLarge() {
        if (!transfer.arrived().isWhole(finalSizeBytes)) {
            incomplete("of " + finalSizeBytes + " bytes there are " + transfer.durableBytes());
            return;
        }
        leaves.commit(finalSizeBytes, context.files(), context.disk(), context.mailbox(), made -> {
            Refusal refusal = made.refusal();
            if (stage == Stage.OVER) {
                return;
            }
            if (refusal != null) {
                fail(refusal);
                return;
            }
            context.writer().close(content, () -> {});
            context.transfers().commit(transfer, made.get(), outcome -> {
                over();
                answer(outcome);
            });
        });
    }

    @Override
    public void abandon(String reason) {
        if (stage != Stage.RECEIVING) {
            return;
        }
        byte[] bytes = held;
        leaveReason = reason;
        leaveSpaceQueue();
        if (!opened && bytes == null) {
            cancel(reason); // nothing came, so there is nothing to come back to
            return;
        }
        open();
        stage = Stage.LEAVING;
        if (bytes != null) {
            submitHeld(bytes);
        } else {
            whenWritesAreDone();
        }
    }

    /** What was held in memory goes to the file after all. */
    private void submitHeld(byte[] bytes) {
        held = null;
        List<Outcome.Callback<Long>> all = List.copyOf(heldCallbacks);
        heldCallbacks.clear();
        writesUnderWay++; // until it has a buffer
        context.withBuffer(buffer -> {
            writesUnderWay--;
            buffer.payload(0, bytes.length).put(bytes);
            submit(0, buffer, bytes.length, outcome -> all.forEach(callback -> callback.accept(outcome)));
        });
    }

    private void suspend() {
        context.writer().close(content, () -> {});
        over();
        context.transfers().suspend(transfer, leaveReason);
    }

    @Override
    public void cancel(String reason) {
        fail(new Refusal(ErrorCode.CANCELLED, reason));
    }

    /** It ends here and now, and whoever waits for it hears why. */
    void fail(Refusal why) {
        if (stage == Stage.OVER) {
            return;
        }
        over();
        leaveSpaceQueue();
        held = null;
        answerHeld(Outcome.refused(why.code(), why.detail()));
        answer(Outcome.refused(why.code(), why.detail()));
        context.transfers().cancel(transfer, why);
        whenWritesAreDone();
    }

    private void leaveSpaceQueue() {
        Outcome.Callback<Upload> waiter = spaceWaiter;
        spaceWaiter = null;
        if (waiter != null) {
            context.spaceQueue().remove(this);
            Outcome<Upload> ended = Outcome.refused(ErrorCode.NO_SPACE, "The spool is full. Try again later");
            context.mailbox().post(() -> waiter.accept(ended));
        }
    }

    private void over() {
        stage = Stage.OVER;
        context.uploads().ended(this);
    }

    private void answerHeld(Outcome<Long> outcome) {
        List<Outcome.Callback<Long>> all = List.copyOf(heldCallbacks);
        heldCallbacks.clear();
        all.forEach(callback -> context.mailbox().post(() -> callback.accept(outcome)));
    }

    private void answer(Outcome<Commit> outcome) {
        Outcome.Callback<Commit> callback = finished;
        finished = null;
        if (callback != null) {
            context.mailbox().post(() -> callback.accept(outcome));
        }
    }
}
