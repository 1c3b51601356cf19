package io.hawser.core.hop;

import io.hawser.core.model.Commit;
import io.hawser.core.model.FarEndProgress;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A receiver's store that makes things durable when {@link #run} is called. */
final class FakeReceiverStore implements ReceiverStore {
    final List<String> asked = new ArrayList<>();
    final Map<TransferKey, StoredTransfer> stored = new HashMap<>();
    final Map<TransferKey, List<FarEndProgress>> farEnds = new HashMap<>();
    final Map<Long, byte[]> fragments = new HashMap<>();
    private final ArrayDeque<Runnable> pending = new ArrayDeque<>();

    @Nullable
    Refusal refuses;

    @Nullable
    Refusal refusesFragments;

    void run() {
        while (!pending.isEmpty()) {
            pending.removeFirst().run();
        }
    }

    private <T> void answer(T value, Outcome.Callback<T> done) {
        Refusal refusal = refuses;
        pending.add(() -> done.accept(refusal == null ? Outcome.of(value) : new Outcome<>(null, refusal)));
    }

    @Nullable
    Refusal mayNot;

    @Override
    public @Nullable Refusal whyNot(Manifest manifest) {
        return mayNot;
    }

    @Override
    public void lookup(TransferKey key, Outcome.Callback<StoredTransfer> done) {
        asked.add("lookup");
        answer(stored.getOrDefault(key, StoredTransfer.absent()), done);
    }

    @Override
    public void farEnds(TransferKey key, Outcome.Callback<List<FarEndProgress>> done) {
        asked.add("farEnds");
        answer(farEnds.getOrDefault(key, List.of()), done);
    }

    @Override
    public void open(Manifest manifest, Outcome.Callback<Manifest> done) {
        asked.add("open");
        answer(manifest, done);
    }

    @Override
    public void fragment(Fragment fragment, Outcome.Callback<Fragment> done) {
        asked.add("fragment " + fragment.index());
        Refusal refusal = refusesFragments;
        fragment.buffer().retain();
        pending.add(() -> {
            byte[] bytes = new byte[fragment.length()];
            ByteBuffer payload = fragment.buffer().payload(fragment.offset(), fragment.length());
            payload.get(bytes);
            fragments.put(fragment.index(), bytes);
            fragment.buffer().release();
            done.accept(refusal == null ? Outcome.of(fragment) : new Outcome<>(null, refusal));
        });
    }

    @Override
    public void commit(TransferKey key, Commit commit, Outcome.Callback<List<String>> done) {
        asked.add("commit");
        answer(List.of("s"), done);
    }

    @Override
    public void small(Manifest manifest, Fragment fragment, Commit commit, Outcome.Callback<List<String>> done) {
        asked.add("small " + fragment.length());
        answer(List.of("s"), done);
    }

    @Override
    public void cancel(TransferKey key, String reason, Outcome.Callback<TransferKey> done) {
        asked.add("cancel");
        answer(key, done);
    }

    @Override
    public void recall(TransferKey key, String reason) {
        asked.add("recall");
    }

    @Override
    public void receiptAcked(TransferKey key, String subscription, ReceiptStatus status) {
        asked.add("receiptAcked " + subscription + " " + status);
    }
}
