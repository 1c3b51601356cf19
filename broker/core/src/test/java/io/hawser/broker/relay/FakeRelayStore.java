package io.hawser.broker.relay;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.SampleTransfer;
import io.hawser.store.space.SpaceAnswer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** A relay's store whose forces and queries end when the test says so. Thread: the test's. */
public final class FakeRelayStore implements RelayStore {
    public final List<Object> appended = new ArrayList<>();
    final Map<TransferKey, Lookup> known = new HashMap<>();
    final List<KeptTransfer> owed = new ArrayList<>();
    final List<KeptReceipt> receipts = new ArrayList<>();
    final List<TransferKey> unclaimed = new ArrayList<>();
    final List<TransferKey> awaitingWord = new ArrayList<>();
    final List<TransferKey> unclaimedReplies = new ArrayList<>();
    final List<TransferKey> open = new ArrayList<>();
    final List<TransferKey> overdue = new ArrayList<>();

    /** The time that was asked for last. */
    long overdueBefore;

    /** Before which replies were asked for last. */
    long unclaimedRepliesBefore;

    /** Whether anything may begin. */
    SpaceAnswer full = SpaceAnswer.yes();

    boolean waitedForComesIn;
    /** Whether nothing that is read ever comes. */
    boolean readsWait;

    /** How often it was asked what a subscription is owed. */
    int owedQuestions;

    /** How often it was asked for kept receipts. */
    int receiptQuestions;

    /** Those that would not fit if they were alone. */
    final Set<TransferKey> neverFit = new HashSet<>();

    private final ArrayDeque<Runnable> forces = new ArrayDeque<>();
    private final ArrayDeque<Runnable> queries = new ArrayDeque<>();
    private long sequence;
    private boolean fails;

    /** All of a sample is kept and owed to these. */
    static KeptTransfer committed(SampleTransfer sample, long sequence, String... deliverySet) {
        return new KeptTransfer(
                sample.manifest(),
                FragmentRanges.of(0, sample.fragmentCount()),
                sample.commit(),
                sequence,
                Set.of(deliverySet),
                Set.of(deliverySet),
                Map.of(),
                Steering.NONE);
    }

    /** The same of which something else was asked. */
    static KeptTransfer steered(KeptTransfer kept, Steering steering) {
        return new KeptTransfer(
                kept.manifest(),
                kept.durable(),
                kept.commit(),
                kept.commitSequence(),
                kept.deliverySet(),
                kept.owed(),
                kept.permits(),
                steering);
    }

    /** It has begun, and nothing of it has come. */
    static KeptTransfer open(Manifest manifest) {
        return new KeptTransfer(manifest, new FragmentRanges(), null, 0, Set.of(), Set.of(), Map.of(), Steering.NONE);
    }

    /** What a lookup finds from now on. */
    void know(KeptTransfer kept) {
        StoredTransfer.State state = kept.commit() == null ? StoredTransfer.State.OPEN : StoredTransfer.State.COMMITTED;
        known.put(kept.manifest().key(), new Lookup(state, kept));
    }

    /** The receipts that it was asked to keep. */
    List<Receipt> receiptsKept() {
        return appended.stream()
                .filter(RelayRecord.ReceiptKept.class::isInstance)
                .map(record -> ((RelayRecord.ReceiptKept) record).receipt())
                .toList();
    }

    /** Makes all that was appended so far durable. */
    void force() {
        runAll(forces);
    }

    /** The log fails: nothing that was appended so far becomes durable. */
    void failForces() {
        fails = true;
        runAll(forces);
    }

    /** Answers all that was asked so far. */
    void answer() {
        runAll(queries);
    }

    private static void runAll(ArrayDeque<Runnable> tasks) {
        for (int left = tasks.size(); left > 0; left--) {
            tasks.removeFirst().run();
        }
    }

    private void append(Object record, Outcome.Callback<Long> durable) {
        appended.add(record);
        long own = ++sequence;
        forces.add(() -> durable.accept(
                fails ? Outcome.refused(ErrorCode.STORAGE_FAILED, "the log cannot be written") : Outcome.of(own)));
    }

    private <T> void later(T answer, Outcome.Callback<T> done) {
        queries.add(() -> done.accept(Outcome.of(answer)));
    }

    private static <T> List<T> page(List<T> all, int limit) {
        return all.stream().limit(limit).toList();
    }

    @Override
    public void append(RelayRecord record, Outcome.Callback<Long> durable) {
        append((Object) record, durable);
    }

    @Override
    public void appendFragment(Fragment fragment, Outcome.Callback<Long> durable) {
        append("fragment " + fragment.index(), durable);
    }

    @Override
    public void appendSmall(
            Manifest manifest,
            Fragment fragment,
            Commit commit,
            List<String> deliverySet,
            Outcome.Callback<Long> durable) {
        append("small " + manifest.number(), durable);
    }

    @Override
    public void read(TransferKey key, long index, Outcome.Callback<Fragment> done) {
        if (!readsWait) {
            queries.add(() -> done.accept(Outcome.refused(ErrorCode.NOT_FOUND, "the test reads nothing")));
        }
    }

    @Override
    public SpaceAnswer admit(Manifest manifest, BooleanSupplier isWaitedFor) {
        return waitedForComesIn && isWaitedFor.getAsBoolean() ? SpaceAnswer.yes() : full;
    }

    @Override
    public SpaceAnswer admitFragment(Manifest manifest, long heldBytes, long length) {
        return full;
    }

    @Override
    public void lookup(TransferKey key, Outcome.Callback<Lookup> done) {
        later(known.getOrDefault(key, new Lookup(StoredTransfer.State.ABSENT, null)), done);
    }

    @Override
    public boolean fitsAlone(Manifest manifest) {
        return !neverFit.contains(manifest.key());
    }

    @Override
    public void owed(String subscription, long afterSequence, int limit, Outcome.Callback<List<KeptTransfer>> done) {
        owedQuestions++;
        List<KeptTransfer> rest = owed.stream()
                .filter(kept -> kept.commitSequence() > afterSequence)
                .toList();
        later(page(rest, limit), done);
    }

    @Override
    public void overdue(
            String subscription, long committedBeforeMillis, int limit, Outcome.Callback<List<TransferKey>> done) {
        overdueBefore = committedBeforeMillis;
        later(page(overdue, limit), done);
    }

    @Override
    public void receiptsMade(Outcome.Callback<Set<NodeId>> done) {
        later(
                receipts.stream().map(kept -> kept.receipt().key().publisher()).collect(Collectors.toUnmodifiableSet()),
                done);
    }

    @Override
    public void receipts(NodeId publisher, long afterSequence, int limit, Outcome.Callback<List<KeptReceipt>> done) {
        receiptQuestions++;
        List<KeptReceipt> rest = receipts.stream()
                .filter(kept -> kept.sequence() > afterSequence)
                .toList();
        later(page(rest, limit), done);
    }

    @Override
    public void openSince(long epochMillis, int limit, Outcome.Callback<List<TransferKey>> done) {
        later(page(open, limit), done);
    }

    @Override
    public void awaitingWord(String subscription, int limit, Outcome.Callback<List<TransferKey>> done) {
        later(page(awaitingWord, limit), done);
    }

    @Override
    public void openWithUnknownSize(String space, int limit, Outcome.Callback<List<TransferKey>> done) {
        later(page(space.equals(SpaceAnswer.NODE) ? open : List.of(), limit), done);
    }

    @Override
    public Set<String> quotas(Manifest manifest) {
        return Set.of();
    }

    @Override
    public void unclaimedSince(
            long epochMillis, boolean onlyReplies, int limit, Outcome.Callback<List<TransferKey>> done) {
        unclaimedRepliesBefore = onlyReplies ? epochMillis : unclaimedRepliesBefore;
        later(page(onlyReplies ? unclaimedReplies : unclaimed, limit), done);
    }

    @Override
    public void subscriptions(Outcome.Callback<List<SubscriptionSpec>> done) {
        later(List.of(), done);
    }
}
