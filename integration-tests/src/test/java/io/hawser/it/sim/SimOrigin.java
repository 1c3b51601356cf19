package io.hawser.it.sim;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.hop.SenderStore;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.SampleTransfer;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A spool: what it announces is durable here, and what it was told by the next store is journaled. */
final class SimOrigin implements SenderStore {
    record Begun(SampleTransfer sample) implements SimJournal.Entry {}

    record Piece(TransferKey key, long index) implements SimJournal.Entry {}

    record Completed(TransferKey key, SampleTransfer sample) implements SimJournal.Entry {}

    record GivenUp(TransferKey key) implements SimJournal.Entry {}

    record GoneDownstream(TransferKey key) implements SimJournal.Entry {}

    record Done(TransferKey key, List<String> deliverySet) implements SimJournal.Entry {}

    record Received(Receipt receipt) implements SimJournal.Entry {}

    /** A transfer as the journal knows it. */
    static final class Spooled {
        /** What was spooled. It differs from the truth only where a bug is planted. */
        SampleTransfer sample;

        final FragmentRanges pieces = new FragmentRanges();
        final Map<String, Receipt> receipts = new LinkedHashMap<>();
        boolean completed;
        boolean givenUp;
        boolean goneDownstream;
        boolean done;
        boolean dropped;
        List<String> deliverySet = List.of();

        Spooled(SampleTransfer sample) {
            this.sample = sample;
        }

        TransferKey key() {
            return sample.key();
        }

        /** Pieces that may leave: before the end only whole fragments. */
        FragmentRanges leaving() {
            FragmentRanges ranges = pieces.copy();
            int last = sample.fragmentCount() - 1;
            if (!completed
                    && last >= 0
                    && sample.fragmentLength(last) < sample.manifest().fragmentSizeBytes()) {
                ranges.remove(last, last + 1L);
            }
            return ranges;
        }
    }

    final Map<TransferKey, Spooled> transfers = new LinkedHashMap<>();
    /** What the disk has damaged; outlives the process, as the journal does. */
    private final Set<Piece> damaged = new LinkedHashSet<>();

    final SimJournal<SimJournal.Entry> journal;
    private final SimPublisher publisher;
    private final SimChain chain;

    SimOrigin(SimPublisher publisher) {
        this.publisher = publisher;
        this.chain = publisher.chain;
        this.journal = new SimJournal<>(publisher, this::fold);
    }

    private void fold(SimJournal.Entry record, long sequence) {
        if (record instanceof Begun begun) {
            transfers.putIfAbsent(begun.sample.key(), new Spooled(begun.sample));
        } else if (record instanceof Piece piece) {
            spooled(piece.key).pieces.add(piece.index);
        } else if (record instanceof Completed completed) {
            spooled(completed.key).completed = true;
            spooled(completed.key).sample = completed.sample;
            chain.completed(completed.key);
        } else if (record instanceof GivenUp givenUp) {
            spooled(givenUp.key).givenUp = true;
            chain.givenUp(givenUp.key);
        } else if (record instanceof GoneDownstream gone) {
            spooled(gone.key).goneDownstream = true;
        } else if (record instanceof Done done) {
            spooled(done.key).done = true;
            spooled(done.key).deliverySet = done.deliverySet;
            dropUnlessKept(spooled(done.key));
        } else if (record instanceof Received received) {
            spooled(received.receipt.key()).receipts.put(received.receipt.subscription(), received.receipt);
        }
    }

    Spooled spooled(TransferKey key) {
        Spooled spooled = transfers.get(key);
        if (spooled == null) {
            throw new IllegalStateException(publisher + " does not know " + key);
        }
        return spooled;
    }

    /** While the process is down a bit flips in what has not left. */
    void damageWhileDown() {
        for (Spooled spooled : transfers.values()) {
            boolean leaves =
                    !spooled.done && !spooled.givenUp && !spooled.dropped && spooled.sample.fragmentCount() > 0;
            if (leaves && !spooled.pieces.isEmpty() && chain.strikes(Fault.SPOOL_DAMAGED_WHILE_DOWN, 4)) {
                damaged.add(new Piece(spooled.key(), spooled.pieces.firstPresent(0)));
            }
        }
    }

    private boolean isDamaged(TransferKey key) {
        return damaged.stream().anyMatch(piece -> piece.key.equals(key));
    }

    private void dropUnlessKept(Spooled spooled) {
        if (!chain.plan.originKeepsCopies && !spooled.dropped) {
            spooled.dropped = true;
            chain.invariants.noForget.originDrops(spooled.key());
        }
    }

    @Override
    public void load(TransferKey key, long index, Outcome.Callback<Fragment> done) {
        publisher.post(chain.quick(), () -> loadNow(key, index, done));
    }

    private void loadNow(TransferKey key, long index, Outcome.Callback<Fragment> done) {
        Spooled spooled = transfers.get(key);
        if (spooled == null || spooled.dropped || !spooled.pieces.contains(index)) {
            done.accept(Outcome.refused(ErrorCode.NOT_FOUND, "it is not in the spool"));
            return;
        }
        if (damaged.contains(new Piece(key, index))) {
            if (chain.plan.bug == PlantedBug.DAMAGED_SPOOL_FORWARDED) {
                byte[] flipped = spooled.sample.content().clone();
                flipped[(int) index * chain.plan.fragmentSizeBytes] ^= 1;
                spooled.sample = SampleTransfer.of(spooled.sample.manifest(), flipped);
            } else {
                done.accept(Outcome.refused(ErrorCode.NOT_FOUND, "its bytes in the spool are damaged"));
                return;
            }
        }
        FragmentBufferPool pool = publisher.pool();
        Fragment fragment = spooled.sample.fragment(index, pool);
        if (fragment == null) {
            pool.whenAvailable(() -> publisher.post(0, () -> loadNow(key, index, done)));
            return;
        }
        if (chain.plan.bug == PlantedBug.FORGET_WHEN_SENT
                && spooled.completed
                && index == spooled.sample.fragmentCount() - 1L) {
            publisher.post(chain.slow(), () -> spooled.dropped = true);
        }
        done.accept(Outcome.of(fragment));
    }

    @Override
    public void acked(TransferKey key, FragmentRanges ranges) {
        // RESUME is asked for after each loss: nothing of this is kept.
    }

    @Override
    public void committed(TransferKey key, List<String> deliverySet) {
        journal.append(new Done(key, deliverySet), outcome -> {});
    }

    @Override
    public void receipt(Receipt receipt, Runnable durable) {
        if (chain.plan.bug == PlantedBug.RECEIPT_ACK_BEFORE_FORCE) {
            journal.appendCarelessly(new Received(receipt), outcome -> durable.run());
            return;
        }
        journal.append(new Received(receipt), outcome -> {
            if (!outcome.isRefused()) {
                durable.run();
            }
        });
    }

    @Override
    public void refused(TransferKey key, Refusal refusal) {
        if (refusal.code().retriable()) {
            return;
        }
        Spooled spooled = spooled(key);
        if (!spooled.givenUp && isDamaged(key)) {
            chain.lost(key);
            journal.append(new GivenUp(key), outcome -> {
                if (!outcome.isRefused() && !publisher.sender().has(key)) { // it had not left
                    cancelled(key);
                }
            });
        } else if (spooled.givenUp) {
            cancelled(key);
        } else if (!spooled.done) { // a repair may come too late

            chain.invariants.acceptWhatCanFinish.refusedForGood(key, refusal);
        }
    }

    @Override
    public void damagedDownstream(TransferKey key, long index) {
        Spooled spooled = spooled(key);
        if (spooled.completed && !spooled.dropped) {
            publisher.offerAgain(spooled);
        }
    }

    @Override
    public void cancelled(TransferKey key) {
        journal.append(new GoneDownstream(key), outcome -> {});
    }
}
