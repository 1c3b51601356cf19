package io.hawser.core.hop;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.SampleTransfer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A sender's store that answers when {@link #run} is called, and writes down what it is told. */
class FakeSenderStore implements SenderStore {
    static final int ASIDE = 3;
    final FragmentBufferPool pool = new FragmentBufferPool(4096, 64, ASIDE);
    final Map<TransferKey, SampleTransfer> known = new HashMap<>();
    final List<String> told = new ArrayList<>();
    final List<Long> loads = new ArrayList<>();
    final ArrayDeque<Runnable> receiptsToKeep = new ArrayDeque<>();
    private final ArrayDeque<Runnable> pending = new ArrayDeque<>();

    boolean waitsForRights;
    long mostEarlyReceiptBytes = DEFAULT_EARLY_RECEIPT_BYTES;
    List<TransferKey> toCheck = List.of();
    final Set<TransferKey> followers = new HashSet<>();

    @Nullable
    ErrorCode loadFails;

    /** Completes all loads that were asked for so far, and those that they bring about. */
    void run() {
        while (!pending.isEmpty()) {
            pending.removeFirst().run();
        }
    }

    @Override
    public void load(TransferKey key, long index, Outcome.Callback<Fragment> done) {
        loads.add(index);
        ErrorCode fails = loadFails;
        if (fails != null) {
            pending.add(() -> done.accept(Outcome.refused(fails, "the test says so")));
            return;
        }
        SampleTransfer sample = Objects.requireNonNull(known.get(key));
        pending.add(() -> done.accept(Outcome.of(Objects.requireNonNull(sample.fragment(index, pool)))));
    }

    @Override
    public long mostEarlyReceiptBytes() {
        return mostEarlyReceiptBytes;
    }

    @Override
    public List<TransferKey> toCheck(@Nullable NodeId receiver) {
        return toCheck;
    }

    @Override
    public void checked(Set<TransferKey> absent, Set<TransferKey> finished) {
        told.add("checked " + absent.size() + " " + finished.size());
    }

    @Override
    public boolean followsUnchecked(TransferKey key) {
        return followers.contains(key);
    }

    @Override
    public void acked(TransferKey key, FragmentRanges ranges) {
        told.add("acked " + key.id().high() / 65536 + " " + ranges);
    }

    @Override
    public void committed(TransferKey key, List<String> deliverySet) {
        told.add("committed " + key.id().high() / 65536 + " " + deliverySet);
    }

    @Override
    public void receipt(Receipt receipt, Runnable durable) {
        told.add("receipt " + receipt.status());
        receiptsToKeep.add(durable);
    }

    @Override
    public boolean waitsForRight(TransferKey key) {
        return waitsForRights;
    }

    @Override
    public void refused(TransferKey key, Refusal refusal) {
        told.add("refused " + key.id().high() / 65536 + " " + refusal.code());
    }

    @Override
    public void damagedDownstream(TransferKey key, long index) {
        told.add("damaged " + key.id().high() / 65536 + " " + index);
    }

    @Override
    public void cancelled(TransferKey key) {
        told.add("cancelled " + key.id().high() / 65536);
    }
}
