package io.hawser.it.sim;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.HopSender;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.TransferSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A publisher: clients upload into its spool, and its hop sender sends what is durable there. */
final class SimPublisher extends SimClient {
    private static final String[] PATHS = {"a", "b", "c", "d/x", "d/y/z"};

    /** Where others of them lie. */
    private static final String DIRECTORY = "d";

    private static final long BETWEEN_REPLACEMENTS_NANOS = 4_000 * Plan.MILLIS;
    private static final int[] FAR_APART = {0, 1, 3};

    private final SimDisk disk;
    private final SimSpool store;
    private final SimReader reader;
    private final List<SimUpload> uploads = new ArrayList<>();
    /** Until when the replacement of a damaged upload is waited for. */
    private final Map<TransferKey, Long> replaced = new HashMap<>();

    private FragmentBufferPool pool;
    private boolean ready;
    private int unfinishedWishes;

    SimPublisher(SimChain chain, String name, NodeId id) {
        super(chain, name, id);
        disk = new SimDisk(this);
        store = new SimSpool(this);
        reader = new SimReader(this);
        pool = new FragmentBufferPool(chain.plan.bufferBytes(), 4);
    }

    SimDisk disk() {
        return disk;
    }

    FragmentBufferPool pool() {
        return pool;
    }

    /** Threads that compute digests. */
    Executor digests() {
        return task -> post(chain.quick(), task);
    }

    Spool spool() {
        return store.spool();
    }

    SimSpool store() {
        return store;
    }

    SimReader reader() {
        return reader;
    }

    HopSender sender() {
        return store.sender().sender();
    }

    @Override
    boolean hasFailedDisk() {
        return store.hasFailed();
    }

    @Override
    boolean isReady() {
        return ready;
    }

    /** Draws uploads and begins them over time. */
    void planUploads(int count) {
        if (chain.plan.repeats()) {
            planRepeats(3 * count);
            return;
        }
        for (int i = 0; i < count; i++) {
            int size = chain.plan.fragmentSizeBytes;
            int bytes =
                    switch (chain.random.nextInt(4)) {
                        case 0 -> chain.random.nextInt(size + 1);
                        case 1 -> size * (1 + chain.random.nextInt(4));
                        default -> chain.random.nextInt(6 * size);
                    };
            planUpload(PATHS.length, bytes);
        }
        if (chain.plan.edges()) {
            planNameChanges(count);
            planReads(2 * count);
        }
    }

    /** One file at one of the first {@code paths}. */
    private void planUpload(int paths, int bytes) {
        SimUpload.Wish wish = new SimUpload.Wish(
                TransferKind.FILE,
                path(PATHS[chain.random.nextInt(paths)]),
                "",
                chain.topic(chain.random.nextInt(chain.plan.topics)),
                bytes,
                chain.random.nextBoolean());
        long at = chain.random.nextLong(chain.plan.faultPhaseNanos);
        if (chain.mayBegin()) {
            wishFor(wish, at);
        }
    }

    /** Few files at few paths, of one or the other version each. */
    private void planRepeats(int count) {
        for (int i = 0; i < count; i++) {
            int bytes = 2 * chain.plan.fragmentSizeBytes + chain.random.nextInt(3) / 2;
            planUpload(2, bytes);
        }
    }

    /** One upload of as many fragments, the last of them not whole, of unknown size. */
    void planUploadOf(int fragments) {
        int bytes = fragments * chain.plan.fragmentSizeBytes - 1;
        wishFor(new SimUpload.Wish(TransferKind.FILE, "a", "", chain.topic(0), bytes, false), Plan.MILLIS);
    }

    /** Where names at the far end are compared, publishers have names of their own. */
    private String path(String name) {
        return chain.plan.edges() ? id.low() + name : name;
    }

    private void planNameChanges(int count) {
        for (int i = 0; i < count; i++) {
            String path = path(PATHS[chain.random.nextInt(PATHS.length)]);
            String target = path(PATHS[FAR_APART[chain.random.nextInt(FAR_APART.length)]]);
            boolean renames = chain.random.nextInt(3) > 0 && !target.startsWith(path) && !path.startsWith(target);
            boolean makes = chain.random.nextInt(4) == 0;
            Topic topic = chain.topic(chain.random.nextInt(chain.plan.topics));
            SimUpload.Wish wish = renames
                    ? new SimUpload.Wish(TransferKind.RENAME, path, target, topic, 0, true)
                    : new SimUpload.Wish(
                            makes ? TransferKind.MAKE_DIRECTORY : TransferKind.DELETE,
                            makes ? path(DIRECTORY) : path,
                            "",
                            topic,
                            0,
                            true);
            long at = chain.random.nextLong(chain.plan.faultPhaseNanos);
            if (chain.mayBegin()) {
                wishFor(wish, at);
            }
        }
    }

    private void planReads(int count) {
        for (int i = 0; i < count; i++) {
            Topic topic = chain.topic(chain.random.nextInt(chain.plan.topics));
            String path = path(PATHS[chain.random.nextInt(PATHS.length)]);
            long at = chain.random.nextLong(2 * chain.plan.faultPhaseNanos);
            if (chain.mayBegin()) {
                chain.scheduler.after(at, () -> {
                    if (up && ready) {
                        reader.read(topic, path);
                    }
                });
            }
        }
    }

    /** A client will come with that wish. */
    void wishFor(SimUpload.Wish wish, long delayNanos) {
        unfinishedWishes++;
        chain.scheduler.after(delayNanos, () -> {
            unfinishedWishes--;
            if (up && ready && !isStopped() && !store.hasFailed()) {
                SimUpload upload = new SimUpload(this, wish);
                uploads.add(upload);
                upload.begin();
            } else {
                wishFor(wish, 50 * Plan.MILLIS);
            }
        });
    }

    /** Counts names that change behind an upload that is still coming in. */
    void began(SimUpload begun) {
        TransferKey key = Objects.requireNonNull(begun.key());
        boolean isBehind = !begun.wish().kind().hasBytes()
                && uploads.stream()
                        .filter(upload -> upload != begun && !upload.isOver() && upload.key() != null)
                        .anyMatch(upload -> chain.sharePath(Objects.requireNonNull(upload.key()), key));
        if (isBehind) {
            chain.count(Fault.NAME_CHANGE_BEHIND_AN_UPLOAD);
        }
    }

    /** Uploads of that name that the spool would continue. */
    List<SimUpload> incomplete(SimUpload.Wish wish) {
        return uploads.stream()
                .filter(upload -> upload.wish().path().equals(wish.path())
                        && upload.wish().topic().equals(wish.topic())
                        && upload.isIncomplete())
                .toList();
    }

    @Override
    void boot() {
        reader.boot();
        pool = new FragmentBufferPool(chain.plan.bufferBytes(), 4);
        post(chain.slow(), () -> {
            if (!store.open(pool)) {
                crash(chain.random.nextBoolean());
                return;
            }
            ready = true;
            uploads.forEach(SimUpload::publisherIsBack);
            chain.invariants.immutable.recovered(this);
            chain.invariants.durableAck.recovered(this);
            chain.canceller.recovered(this);
            dial();
        });
    }

    @Override
    void die(boolean powerCut) {
        if (chain.plan.hostile() && ready && !store.hasFailed()) {
            store.damageWhileDown();
        }
        ready = false;
        dropSession();
        store.crash(powerCut);
    }

    @Override
    void tick() {
        if (!ready) {
            return;
        }
        if (store.hasFailed()) {
            crash(chain.random.nextBoolean());
            return;
        }
        sender().tick(chain.scheduler.nowNanos());
        if (chain.plan.edges()) {
            reader.handler().tick(chain.scheduler.nowNanos());
        }
        replaceDamaged();
    }

    /** Whoever looks after it uploads again what the disk has damaged before it left, until that has replaced it. */
    private void replaceDamaged() {
        long now = chain.scheduler.nowNanos();
        for (SimUpload upload : List.copyOf(uploads)) {
            TransferKey key = upload.key();
            boolean isDamaged = key != null
                    && chain.isCompleted(key)
                    && store.state(key)
                            .map(TransferSnapshot::refusal)
                            .filter(refusal -> refusal.detail().startsWith(SimSpool.DAMAGED)
                                    && !refusal.detail().endsWith(SimSpool.REPLACED))
                            .isPresent();
            if (isDamaged && replaced.getOrDefault(key, 0L) < now) {
                chain.lost(Objects.requireNonNull(key));
                replaced.put(key, now + BETWEEN_REPLACEMENTS_NANOS);
                wishFor(upload.wish(), chain.slow());
            }
        }
    }

    // --- the session

    @Override
    void sessionUp(SimSession session) {
        sender().linkUp(session.clientLink());
        if (chain.plan.edges()) {
            session.calls(true).up(reader.handler());
            reader.sessionUp();
        }
    }

    @Override
    void sessionDown(SimSession session) {
        if (ready) {
            sender().linkDown();
        }
        session.calls(true).down();
    }

    @Override
    void hear(HopMessage message) {
        sender().on(message);
    }

    @Override
    @Nullable
    HopSender sending() {
        return ready ? sender() : null;
    }

    // --- what the invariants ask

    boolean hasReceipt(TransferKey key, String subscription) {
        return store.hasReceipt(key, subscription);
    }

    boolean isSettled() {
        if (!up || !ready || !reader.isIdle() || unfinishedWishes > 0 || sender().size() > 0) {
            return false;
        }
        return uploads.stream().allMatch(upload -> upload.isOver() && isEnded(Objects.requireNonNull(upload.key())));
    }

    private boolean isEnded(TransferKey key) {
        return chain.isCancelled(key)
                || chain.isLost(key)
                || chain.canceller.endedBeforeTheBroker(key)
                || chain.owedSubscriptions(key).stream().allMatch(subscription -> hasReceipt(key, subscription));
    }

    String whatIsMissing() {
        StringBuilder missing = new StringBuilder();
        for (SimUpload upload : uploads) {
            missing.append("\n  ").append(upload);
            TransferKey key = upload.key();
            if (key != null) {
                missing.append(ready ? " " + store.state(key) : "")
                        .append(" owed ")
                        .append(chain.owedSubscriptions(key));
            }
        }
        return missing.toString();
    }
}
