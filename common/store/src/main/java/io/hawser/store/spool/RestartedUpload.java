package io.hawser.store.spool;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An upload from byte 0 of a path of which an upload broke off. What comes again is compared, fragment by fragment, and neither stored
 * nor sent again; then the earlier transfer continues. At the first difference a new one takes over.
 *
 * <pre>
 *   COMPARING ──all that was here came again──► CONTINUING ──finish──► the earlier transfer commits
 *       │ a difference, or an end before all of it came
 *       └──► TAKEN OVER: equal fragments are copied, the earlier transfer is cancelled, the new one commits
 * </pre>
 *
 * <p>While it compares, nothing is added to the earlier transfer, so that it is as before if the client goes away. Fragments that
 * would be added wait, in few buffers; when these do not suffice, the new transfer takes over. What is spilled goes to the new
 * transfer's file. That one has its place in the order by path from the beginning, and no record before it takes over, unless a
 * newer transfer of the path appears.
 *
 * <p>Thread: the loop.
 */
final class RestartedUpload implements Upload {
    static final String SUPERSEDED = "Superseded by a new upload of the same path";

    private static final Refusal IS_OVER = new Refusal(ErrorCode.CANCELLED, "This upload is over");

    private final UploadContext context;
    private final DiskUpload earlier;
    private final DiskUpload fresh;
    private final Supplier<Runnable> pin;
    private final Semaphore waitingPlaces;
    private final ComparedFragments compared;
    private final ArrayDeque<Piece> waiting = new ArrayDeque<>();
    /** The end of what came, before the end of what was here: whether it means anything, the end of the upload says. */
    private @Nullable Piece cut;

    private @Nullable FragmentCopier copier;
    private @Nullable Refusal over;
    private Outcome.@Nullable Callback<Commit> finishing;
    private Outcome.@Nullable Callback<Upload> spaceWanted;
    private boolean awaitsSpace;
    private long sizeBytes;
    private int placesTaken;
    /** Comparisons and writes of the earlier transfer, and what is being read back. */
    private int underWay;

    /** A fragment that has come; holds one reference of its buffer. */
    private record Piece(long index, FragmentBuffer buffer, int length, Outcome.Callback<Long> durable) {
        void answer(Outcome<Long> outcome) {
            buffer.release();
            durable.accept(outcome);
        }
    }

    /**
     * Compares with {@code earlier}, which has been resumed.
     *
     * @param fresh takes over at a difference; nothing has been written to it
     * @param pin keeps the content of {@code earlier} until what it returns runs
     * @param waitingPlaces bounds the fragments of all such uploads that wait
     */
    RestartedUpload(
            UploadContext context,
            DiskUpload earlier,
            DiskUpload fresh,
            Supplier<Runnable> pin,
            Semaphore waitingPlaces) {
        this.context = context;
        this.earlier = earlier;
        this.fresh = fresh;
        this.pin = pin;
        this.waitingPlaces = waitingPlaces;
        this.compared = new ComparedFragments(earlier.transfer().arrived());
        fresh.setStandby(true);
    }

    private DiskUpload current() {
        return copier == null ? earlier : fresh;
    }

    @Override
    public TransferKey key() {
        return current().key();
    }

    @Override
    public Manifest manifest() {
        return current().manifest();
    }

    @Override
    public long resumePositionBytes() {
        return 0;
    }

    @Override
    public void loadPartial(FragmentBuffer into, Outcome.Callback<Integer> done) {
        context.mailbox().post(() -> done.accept(Outcome.of(0)));
    }

    @Override
    public int durableLength(long index) {
        return copier != null || compared.isSame(index) ? current().durableLength(index) : 0;
    }

    @Override
    public FragmentRanges durableFragments() {
        FragmentRanges here = current().durableFragments();
        return copier != null ? here : here.intersection(compared.same());
    }

    @Override
    public long durableEndBytes() {
        return current().durableEndBytes();
    }

    @Override
    public void load(long index, FragmentBuffer into, Outcome.Callback<Integer> done) {
        current().load(index, into, done);
    }

    @Override
    public void park(long index, FragmentBuffer buffer, int start, int end, Outcome.Callback<Long> done) {
        if (copier != null || over != null) {
            fresh.park(index, buffer, start, end, orFail(done));
        } else {
            fresh.putAside(index, buffer, start, end, orFail(done));
        }
    }

    private <T> Outcome.Callback<T> orFail(Outcome.Callback<T> done) {
        return outcome -> {
            Refusal refusal = outcome.refusal();
            done.accept(outcome);
            if (refusal != null) {
                fail(refusal);
            }
        };
    }

    @Override
    public void unpark(long index, FragmentBuffer into, Outcome.Callback<Long> done) {
        fresh.unpark(index, into, orFail(done));
    }

    @Override
    public void writeParked(long index, int length, Outcome.Callback<Long> durable) {
        underWay++;
        context.withBuffer(buffer -> fresh.unpark(index, buffer, read -> {
            underWay--;
            Refusal refusal = read.refusal();
            if (refusal == null) {
                write(index, buffer, length, durable);
                proceed(); // the end may have been waiting for it
            } else {
                orFail(durable).accept(Outcome.refused(refusal));
            }
            buffer.release();
        }));
    }

    /** Fragments that are compared need no space. Each write looks again, so that a promise may be too large. */
    @Override
    public boolean reserve(int fragments) {
        long more = copier != null ? fragments : Math.max(0, fragments - compared.toCome()) + waiting.size();
        return over == null && current().reserve((int) more);
    }

    @Override
    public void whenSpace(Outcome.Callback<Upload> done) {
        Refusal why = over;
        if (why != null) {
            context.mailbox().post(() -> done.accept(Outcome.refused(why)));
        } else {
            spaceWanted = done;
            awaitSpace();
        }
    }

    private void awaitSpace() {
        if (!awaitsSpace) {
            awaitsSpace = true;
            DiskUpload asked = current();
            asked.whenSpace(outcome -> {
                if (asked == current()) {
                    awaitsSpace = false;
                    spaceCame(outcome.refusal());
                }
            });
        }
    }

    private void spaceCame(@Nullable Refusal refusal) {
        if (refusal != null) {
            fail(refusal);
        } else if (over == null) {
            proceed();
            answerSpace(Outcome.of(this));
        }
    }

    private void answerSpace(Outcome<Upload> outcome) {
        Outcome.Callback<Upload> wanted = spaceWanted;
        spaceWanted = null;
        if (wanted != null) {
            context.mailbox().post(() -> wanted.accept(outcome));
        }
    }

    @Override
    public void write(long index, FragmentBuffer buffer, int length, Outcome.Callback<Long> durable) {
        Refusal why = over;
        if (why != null) {
            context.mailbox().post(() -> durable.accept(Outcome.refused(why)));
            return;
        }
        Piece piece = new Piece(index, buffer.retain(), length, durable);
        int known = earlier.durableLength(index);
        compared.came(index);
        if (copier == null && length < known && cut == null) {
            cut = piece;
        } else if (copier == null && length == known) {
            hand(piece);
        } else {
            waiting.add(piece);
            if (copier != null || compared.allCame()) {
                proceed(); // now, or when those are compared that are on their way
            } else if (waitingPlaces.tryAcquire()) {
                placesTaken++;
            } else {
                takeOver();
            }
        }
    }

    private void hand(Piece piece) {
        DiskUpload to = current();
        underWay += to == earlier ? 1 : 0;
        to.write(piece.index, piece.buffer, piece.length, outcome -> handed(piece, to, outcome));
    }

    private void handed(Piece piece, DiskUpload to, Outcome<Long> outcome) {
        underWay -= to == earlier ? 1 : 0;
        Refusal refusal = outcome.refusal();
        if (over != null) {
            piece.answer(outcome);
        } else if (to != current()) {
            waiting.add(piece); // it was on its way when another differed
            proceed();
        } else if (refusal == null) {
            if (to == earlier) {
                compared.same(piece.index);
            }
            piece.answer(outcome);
            proceed();
        } else if (refusal.code() != ErrorCode.DIGEST_MISMATCH) {
            piece.answer(outcome);
            fail(refusal);
        } else if (to == earlier && !compared.isSame(piece.index)) {
            waiting.addFirst(piece);
            takeOver();
        } else {
            piece.answer(outcome); // within this upload the client contradicts itself
        }
    }

    private void takeOver() {
        if (earlier.isOver()) {
            fail(earlier.whyOver());
            return;
        }
        Piece tail = cut;
        if (tail != null) {
            cut = null;
            waiting.add(tail);
        }
        copier = new FragmentCopier(
                context, earlier.transfer(), fresh, compared.same(), pin.get(), this::proceed, this::fail);
        fresh.setStandby(false);
        awaitsSpace = false;
        leaveWaitingPlaces();
        earlier.cancel(SUPERSEDED);
        context.mailbox().post(() -> spaceCame(null));
    }

    private void leaveWaitingPlaces() {
        waitingPlaces.release(placesTaken);
        placesTaken = 0;
    }

    /** Hands on what may go on, and finishes if that was all. */
    private void proceed() {
        if (over != null) {
            return;
        }
        for (Iterator<Piece> pieces = waiting.iterator(); pieces.hasNext(); ) {
            Piece piece = pieces.next();
            if (copier == null && !compared.mayAddTo(piece.index)) {
                continue;
            }
            if (!current().reserve(1 + (copier == null ? 0 : copier.underWay()))) {
                awaitSpace();
                return;
            }
            pieces.remove();
            hand(piece);
        }
        if (waiting.isEmpty()) {
            leaveWaitingPlaces();
        }
        if (copier != null && !copier.proceed()) {
            awaitSpace();
        }
        finishIfAllIsHere();
    }

    @Override
    public void finish(long size, Outcome.Callback<Commit> durable) {
        Refusal why = over;
        if (why != null) {
            context.mailbox().post(() -> durable.accept(Outcome.refused(why)));
            return;
        }
        sizeBytes = size;
        finishing = durable;
        proceed();
    }

    private void finishIfAllIsHere() {
        Outcome.Callback<Commit> durable = finishing;
        if (durable == null || underWay > 0) {
            return;
        }
        if (copier == null && (cut != null || !compared.isWhole())) {
            takeOver();
        } else if (waiting.isEmpty() && (copier == null || copier.isDone())) {
            finishing = null;
            over = IS_OVER;
            if (copier == null) {
                fresh.discard();
            }
            DiskUpload accepted = current();
            context.mailbox().post(() -> accepted.finish(sizeBytes, durable)); // not inside its own callback
        }
    }

    @Override
    public void abandon(String reason) {
        if (end(IS_OVER)) {
            current().abandon(reason);
        }
    }

    @Override
    public void abandonDifferent(String reason) {
        if (end(IS_OVER)) {
            current().abandonDifferent(reason);
        }
    }

    @Override
    public void cancel(String reason) {
        if (end(IS_OVER)) {
            current().cancel(reason);
        }
    }

    private void fail(Refusal why) {
        if (end(why)) {
            current().fail(why);
        }
    }

    /** Answers all that waits, and leaves the transfer that is not the present one. Returns whether it was not over before. */
    private boolean end(Refusal why) {
        if (over != null) {
            return false;
        }
        over = why;
        leaveWaitingPlaces();
        if (cut != null) {
            waiting.add(cut);
        }
        waiting.forEach(piece -> context.mailbox().post(() -> piece.answer(Outcome.refused(why))));
        waiting.clear();
        answerSpace(Outcome.refused(why));
        Outcome.Callback<Commit> durable = finishing;
        if (durable != null) {
            context.mailbox().post(() -> durable.accept(Outcome.refused(why)));
        }
        if (copier != null) {
            copier.stop();
        } else {
            fresh.discard();
        }
        return true;
    }
}
