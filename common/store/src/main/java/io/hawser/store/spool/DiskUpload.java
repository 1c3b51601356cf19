package io.hawser.store.spool;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import java.nio.ByteBuffer;
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
final class DiskUpload implements Upload {
    private enum Stage {
        RECEIVING,
        FINISHING,
        LEAVING,
        OVER
    }

    private static final Refusal IS_OVER = new Refusal(ErrorCode.CANCELLED, "This upload is over");

    private static final Refusal OTHER_VERSION =
            new Refusal(ErrorCode.DIGEST_MISMATCH, "The bytes differ from those that came before");

    private final UploadContext context;
    private final SpoolTransfer transfer;
    private final Manifest manifest;
    private final UploadWriteSequencer writes;
    private final UploadSpace space;
    private final PendingFragment held = new PendingFragment();
    private final long resumePositionBytes;

    private Stage stage = Stage.RECEIVING;
    private boolean opened;
    private boolean standby;
    private long finalSizeBytes;
    private Outcome.@Nullable Callback<Commit> finished;
    private String leaveReason = "";
    /** Kept here, too: a cancel that could not be journaled is no longer wanted. */
    private Refusal failure = IS_OVER;

    DiskUpload(UploadContext context, SpoolTransfer transfer, boolean resumed) {
        this.context = context;
        this.transfer = transfer;
        this.manifest = transfer.manifest();
        this.writes = new UploadWriteSequencer(context, transfer, this::fail, this::whenWritesAreDone);
        this.space = new UploadSpace(context, this);
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

    /** Whether it waits for another upload to need it, and nobody has heard of it. */
    boolean isStandby() {
        return standby && !opened;
    }

    void setStandby(boolean now) {
        standby = now;
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
            Outcome<Fragment> read = context.reader().read(place, into, why -> {});
            context.mailbox().post(() -> {
                into.release();
                done.accept(read.map(fragment -> length));
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
            context.mailbox().post(() -> done.accept(Outcome.refused(IS_OVER)));
            return;
        }
        open();
        putAside(index, buffer, start, end, done);
    }

    /** {@link #park} before anything of it is to be in the journal. */
    void putAside(long index, FragmentBuffer buffer, int start, int end, Outcome.Callback<Long> done) {
        writes.park(index, buffer, start, end, done);
    }

    @Override
    public void writeParked(long index, int length, Outcome.Callback<Long> durable) {
        Refusal bad = check(index, length);
        if (bad == null) {
            writes.writeParked(index, length, durable);
        } else {
            context.mailbox().post(() -> durable.accept(Outcome.refused(bad)));
        }
    }

    @Override
    public void unpark(long index, FragmentBuffer into, Outcome.Callback<Long> done) {
        writes.unpark(index, into, done);
    }

    @Override
    public boolean reserve(int fragments) {
        return stage != Stage.OVER && space.reserve(fragments);
    }

    @Override
    public void whenSpace(Outcome.Callback<Upload> done) {
        if (stage == Stage.OVER) {
            Refusal why = whyOver();
            context.mailbox().post(() -> done.accept(Outcome.refused(why)));
        } else {
            space.whenSpace(done);
        }
    }

    @Override
    public void write(long index, FragmentBuffer buffer, int length, Outcome.Callback<Long> durable) {
        Refusal bad = check(index, length);
        if (bad != null) {
            context.mailbox().post(() -> durable.accept(Outcome.refused(bad)));
            return;
        }
        if (canHold(index, length)) {
            held.put(buffer, length, durable);
            return;
        }
        open();
        if (index == 0 && !held.isEmpty()) { // it grew
            held.drop();
            Outcome.Callback<Long> waiting = held.takeWaiting();
            writes.write(index, buffer.retain(), length, outcome -> {
                waiting.accept(outcome);
                durable.accept(outcome);
            });
        } else {
            writes.write(index, buffer.retain(), length, durable);
        }
    }

    private @Nullable Refusal check(long index, int length) {
        if (stage == Stage.OVER) {
            return whyOver();
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
        if (!manifest.sizeKnown() && !manifest.hasFragment(index, length)) {
            return new Refusal(
                    ErrorCode.TOO_LARGE, Manifest.SIZE_LIMITS + ", here of " + manifest.fragmentSizeBytes() + " bytes");
        }
        if (length < transfer.arrived().length(index)) {
            return new Refusal(ErrorCode.DIGEST_MISMATCH, "Fragment " + index + " got shorter");
        }
        long more = (long) length - transfer.arrived().length(index);
        if (!space.reserveBytes(more)) {
            fail(UploadSpace.FULL);
            return UploadSpace.FULL;
        }
        return null;
    }

    boolean isOver() {
        return stage == Stage.OVER;
    }

    /** Why it is over. */
    Refusal whyOver() {
        Refusal why = transfer.milestones().endWanted();
        return why != null ? why : failure;
    }

    private boolean canHold(long index, int length) {
        boolean last = manifest.sizeKnown() ? length == manifest.sizeBytes() : length < manifest.fragmentSizeBytes();
        return !opened
                && index == 0
                && last
                && length <= Spool.SMALL_LIMIT_BYTES
                && SpoolRecordKinds.fitsSmall(manifest);
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

    private void whenWritesAreDone() {
        if (!writes.isIdle()) {
            return;
        }
        switch (stage) {
            case FINISHING -> commitLarge();
            case LEAVING -> suspend();
            case OVER -> writes.close();
            case RECEIVING -> {}
        }
    }

    @Override
    public void finish(long sizeBytes, Outcome.Callback<Commit> durable) {
        if (stage == Stage.OVER) {
            Refusal why = whyOver();
            context.mailbox().post(() -> durable.accept(Outcome.refused(why)));
            return;
        }
        finished = durable;
        finalSizeBytes = sizeBytes;
        byte[] small = held.bytes();
        stage = Stage.FINISHING;
        if (manifest.sizeKnown() && manifest.sizeBytes() != sizeBytes) {
            incomplete(manifest.sizeBytes() + " bytes were announced, and " + sizeBytes + " came");
        } else if (opened && held.isEmpty()) {
            whenWritesAreDone();
        } else if (small.length != sizeBytes) {
            incomplete(sizeBytes + " bytes were announced, and " + small.length + " came");
        } else if (!opened && SpoolRecordKinds.fitsSmall(manifest)) {
            commitSmall(small);
        } else {
            open();
            if (small.length > 0) {
                writeHeld();
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
            answerHeld(refusal == null ? Outcome.of(0L) : Outcome.refused(refusal));
            answer(outcome);
        });
    }

    private void commitLarge() {
        Refusal damage = transfer.refusal();
        if (transfer.isDamaged() && damage != null) {
            context.mailbox().post(() -> fail(damage));
            return;
        }
        if (writes.differs() || transfer.arrived().endBytes() > finalSizeBytes) {
            // Not inside finish, as above. What is there is of another version, which may still come to its end.
            context.mailbox().post(this::leaveTheOtherVersion);
            return;
        }
        if (!transfer.arrived().isWhole(finalSizeBytes)) {
            incomplete("of " + finalSizeBytes + " bytes there are " + transfer.durableBytes());
            return;
        }
        writes.commit(finalSizeBytes, made -> {
            Refusal refusal = made.refusal();
            if (stage == Stage.OVER) {
                return;
            }
            if (refusal != null) {
                fail(refusal);
                return;
            }
            writes.close();
            context.transfers().commit(transfer, made.get(), outcome -> {
                over();
                answer(outcome);
            });
        });
    }

    private void leaveTheOtherVersion() {
        if (stage == Stage.FINISHING) {
            leaveReason = "bytes differ from those that came before";
            space.leave();
            suspend();
            answer(Outcome.refused(OTHER_VERSION));
        }
    }

    @Override
    public void abandon(String reason) {
        if (stage != Stage.RECEIVING) {
            return;
        }
        leaveReason = reason;
        space.leave();
        if (!opened && held.isEmpty()) {
            cancel(reason); // nothing came, so there is nothing to come back to
            return;
        }
        open();
        stage = Stage.LEAVING;
        if (held.isEmpty()) {
            whenWritesAreDone();
        } else {
            writeHeld();
        }
    }

    /** What was held in memory goes to the file after all. */
    private void writeHeld() {
        byte[] bytes = held.bytes();
        held.drop();
        writes.writeFirst(bytes, held.takeWaiting());
    }

    @Override
    public void abandonDifferent(String reason) {
        writes.noteDifference();
        abandon(reason);
    }

    private void suspend() {
        if (writes.isMixed()) {
            fail(OTHER_VERSION);
            return;
        }
        writes.close();
        over();
        context.transfers().suspend(transfer, leaveReason);
    }

    @Override
    public void cancel(String reason) {
        fail(new Refusal(ErrorCode.CANCELLED, reason));
    }

    /** It is not needed: forgets it without a trace if nothing of it is in the journal. */
    void discard() {
        if (opened) {
            cancel("Not needed: the earlier upload of the same path continues");
        } else if (stage != Stage.OVER) {
            over();
            context.transfers().forgetHeld(transfer);
            whenWritesAreDone();
        }
    }

    /** Ends at once and fails everything that waits for it, with the reason. */
    void fail(Refusal why) {
        if (stage == Stage.OVER) {
            return;
        }
        over();
        failure = why;
        space.leave(why);
        held.drop();
        answerHeld(Outcome.refused(why));
        answer(Outcome.refused(why));
        context.transfers().cancel(transfer, why);
        whenWritesAreDone();
    }

    private void over() {
        stage = Stage.OVER;
        writes.drop();
        context.uploads().ended(this);
    }

    private void answerHeld(Outcome<Long> outcome) {
        Outcome.Callback<Long> waiting = held.takeWaiting();
        context.mailbox().post(() -> waiting.accept(outcome));
    }

    private void answer(Outcome<Commit> outcome) {
        Outcome.Callback<Commit> callback = finished;
        finished = null;
        if (callback != null) {
            context.mailbox().post(() -> callback.accept(outcome));
        }
    }
}
