package io.hawser.common.testkit.sim;

import io.hawser.common.buffer.FragmentBufferPool;
import io.hawser.common.hop.HopMessage;
import io.hawser.common.hop.HopSender;
import io.hawser.common.model.FragmentRange;
import io.hawser.common.model.Manifest;
import io.hawser.common.model.NodeId;
import io.hawser.common.model.Topic;
import io.hawser.common.model.TransferId;
import io.hawser.common.model.TransferKey;
import io.hawser.common.model.TransferKind;
import io.hawser.common.testkit.SampleTransfer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A publisher: clients upload into its spool, and its hop sender sends what is durable there. */
final class SimPublisher extends SimClient {
    private static final String[] PATHS = {"a", "b", "d", "d/x", "d/y/z"};

    /** What a client is about to upload. */
    private record Wish(String path, Topic topic, int sizeBytes, boolean sizeKnown) {}

    private final SimOrigin origin;
    private FragmentBufferPool pool;
    private HopSender sender;
    private boolean ready;
    private int unfinishedWishes;
    private int beginning;
    private long lastNumber;

    SimPublisher(Chain chain, String name, NodeId id) {
        super(chain, name, id);
        origin = new SimOrigin(this);
        pool = new FragmentBufferPool(chain.plan.bufferBytes(), 4);
        sender = new HopSender(chain.plan.hop, origin);
    }

    FragmentBufferPool pool() {
        return pool;
    }

    SimOrigin origin() {
        return origin;
    }

    HopSender sender() {
        return sender;
    }

    @Override
    SimJournal<?> journal() {
        return origin.journal;
    }

    @Override
    boolean isReady() {
        return ready;
    }

    /** Draws uploads and begins them over time. */
    void planUploads(int count) {
        for (int i = 0; i < count; i++) {
            int size = chain.plan.fragmentSizeBytes;
            int bytes =
                    switch (chain.random.nextInt(4)) {
                        case 0 -> chain.random.nextInt(size + 1);
                        case 1 -> size * (1 + chain.random.nextInt(4));
                        default -> chain.random.nextInt(6 * size);
                    };
            Wish wish = new Wish(
                    PATHS[chain.random.nextInt(PATHS.length)],
                    chain.topic(chain.random.nextInt(chain.plan.topics)),
                    bytes,
                    chain.random.nextBoolean());
            wishFor(wish, chain.random.nextLong(chain.plan.faultPhaseNanos));
        }
    }

    private void wishFor(Wish wish, long delayNanos) {
        unfinishedWishes++;
        chain.scheduler.after(delayNanos, () -> {
            unfinishedWishes--;
            if (up && ready && !origin.journal.failed()) {
                begin(wish);
            } else {
                wishFor(wish, 50 * Plan.MILLIS);
            }
        });
    }

    private void begin(Wish wish) {
        long number = ++lastNumber;
        TransferKey key = new TransferKey(id, new TransferId(number, chain.random.nextLong()));
        Manifest manifest = new Manifest(
                key,
                number,
                wish.topic,
                TransferKind.FILE,
                wish.path,
                chain.plan.bug == PlantedBug.PATHS_LEFT_OUT ? List.of() : List.of(wish.path),
                wish.sizeKnown ? wish.sizeBytes : Manifest.UNKNOWN_SIZE,
                chain.plan.fragmentSizeBytes,
                Map.of());
        byte[] content = new byte[wish.sizeBytes];
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) chain.random.nextInt();
        }
        SampleTransfer sample = SampleTransfer.of(manifest, content);
        chain.truth(sample, wish.path);
        beginning++;
        origin.journal.append(new SimOrigin.Begun(sample), outcome -> {
            beginning--;
            if (!outcome.isRefused()) {
                sender.offer(manifest, number, true); // its place in the order is that of its beginning
                upload(origin.spooled(key), 0);
            }
        });
    }

    /** The client sends one piece after the other, and may go away at any of them. */
    private void upload(SimOrigin.Spooled spooled, int index) {
        if (index >= spooled.sample.fragmentCount()) {
            complete(spooled);
        } else if (chain.strikes(Fault.UPLOAD_ABANDONED, 12)) {
            clientGoesAway(spooled);
        } else if (spooled.pieces.contains(index)) {
            upload(spooled, index + 1);
        } else {
            TransferKey key = spooled.key();
            origin.journal.append(new SimOrigin.Piece(key, index), outcome -> {
                boolean whole = spooled.sample.fragmentLength(index) == chain.plan.fragmentSizeBytes;
                if (!outcome.isRefused() && whole) {
                    sender.available(key, new FragmentRange(index, index + 1), null);
                }
            });
            post(chain.slow() / 2, () -> upload(spooled, index + 1));
        }
    }

    private void complete(SimOrigin.Spooled spooled) {
        SampleTransfer sample = spooled.sample;
        origin.journal.append(new SimOrigin.Completed(spooled.key(), sample), outcome -> {
            if (!outcome.isRefused()) {
                sender.commit(spooled.key(), sample.commit(), sample.manifest().number(), null);
            }
        });
    }

    private void clientGoesAway(SimOrigin.Spooled spooled) {
        boolean suspended = chain.strikes(Fault.UPLOAD_SUSPENDED, 2);
        if (suspended) {
            sender.suspend(spooled.key());
        }
        post((100 + chain.random.nextInt(600)) * Plan.MILLIS, () -> clientComesBack(spooled, suspended));
    }

    private void clientComesBack(SimOrigin.Spooled spooled, boolean suspended) {
        if (chain.random.nextBoolean() || hasSuccessor(spooled)) {
            giveUp(spooled);
            return;
        }
        if (suspended) {
            sender.goOn(spooled.key());
        }
        if (chain.plan.bug == PlantedBug.SOURCE_VERSIONS_MIXED) {
            mixVersions(spooled);
        }
        upload(spooled, 0);
    }

    /** A later upload to the same path has begun: the older one must not come after it. */
    private boolean hasSuccessor(SimOrigin.Spooled spooled) {
        return lastNumber > spooled.sample.manifest().number();
    }

    private void giveUp(SimOrigin.Spooled spooled) {
        origin.journal.append(new SimOrigin.GivenUp(spooled.key()), outcome -> {
            if (!outcome.isRefused()) {
                sender.cancel(spooled.key(), "the client gave up");
            }
        });
        if (chain.random.nextBoolean()) {
            Manifest old = spooled.sample.manifest();
            wishFor(
                    new Wish(old.name(), old.topic(), chain.random.nextInt(3 * chain.plan.fragmentSizeBytes), false),
                    chain.slow());
        }
    }

    private void mixVersions(SimOrigin.Spooled spooled) {
        byte[] mixed = spooled.sample.content().clone();
        for (int i = (int) spooled.pieces.count() * chain.plan.fragmentSizeBytes; i < mixed.length; i++) {
            mixed[i] ^= 0x55;
        }
        spooled.sample = SampleTransfer.of(spooled.sample.manifest(), mixed);
    }

    /** A completed transfer whose copy downstream was damaged. */
    void offerAgain(SimOrigin.Spooled spooled) {
        Manifest manifest = spooled.sample.manifest();
        sender.offer(manifest, manifest.number(), false);
        sender.commit(manifest.key(), spooled.sample.commit(), manifest.number(), null);
    }

    @Override
    void boot() {
        pool = new FragmentBufferPool(chain.plan.bufferBytes(), 4);
        sender = new HopSender(chain.plan.hop, origin);
        origin.journal.recover(() -> {
            ready = true;
            new ArrayList<>(origin.transfers.values()).forEach(this::goOn);
            chain.invariants.durableAck.recovered(this);
            dial();
        });
    }

    private void goOn(SimOrigin.Spooled spooled) {
        Manifest manifest = spooled.sample.manifest();
        lastNumber = Math.max(lastNumber, manifest.number());
        if (spooled.done || spooled.goneDownstream) {
            return;
        }
        sender.offer(manifest, manifest.number(), false);
        if (spooled.givenUp) {
            sender.cancel(manifest.key(), "the client gave up");
            return;
        }
        for (FragmentRange run : spooled.leaving().runs()) {
            sender.available(manifest.key(), run, null);
        }
        if (spooled.completed) {
            sender.commit(manifest.key(), spooled.sample.commit(), manifest.number(), null);
        } else {
            post((50 + chain.random.nextInt(500)) * Plan.MILLIS, () -> clientComesBack(spooled, false));
        }
    }

    @Override
    void die(boolean powerCut) {
        ready = false;
        beginning = 0;
        dropSession();
        origin.journal.crash(powerCut);
        origin.transfers.clear();
    }

    @Override
    void tick() {
        sender.tick(chain.scheduler.nowNanos());
    }

    // --- the session

    @Override
    void sessionUp(SimSession session) {
        sender.linkUp(session.clientLink());
    }

    @Override
    void sessionDown(SimSession session) {
        sender.linkDown();
    }

    @Override
    void hear(HopMessage message) {
        sender.on(message);
    }

    @Override
    @Nullable
    HopSender sending() {
        return sender;
    }

    // --- what the invariants ask

    boolean hasReceipt(TransferKey key, String subscription) {
        SimOrigin.Spooled spooled = origin.transfers.get(key);
        return spooled != null && spooled.receipts.containsKey(subscription);
    }

    boolean isSettled() {
        if (!up || !ready || unfinishedWishes > 0 || beginning > 0 || sender.size() > 0) {
            return false;
        }
        for (SimOrigin.Spooled spooled : origin.transfers.values()) {
            boolean ended = spooled.givenUp ? spooled.goneDownstream : spooled.done && hasAllReceipts(spooled);
            if (!ended) {
                return false;
            }
        }
        return true;
    }

    private boolean hasAllReceipts(SimOrigin.Spooled spooled) {
        for (String subscription : chain.owedSubscriptions(spooled.key())) {
            if (!hasReceipt(spooled.key(), subscription)) {
                return false;
            }
        }
        return true;
    }

    String whatIsMissing() {
        StringBuilder missing = new StringBuilder();
        for (SimOrigin.Spooled spooled : origin.transfers.values()) {
            missing.append("\n  ")
                    .append(spooled.sample.manifest().number())
                    .append(' ')
                    .append(spooled.sample.manifest().name())
                    .append(spooled.completed ? " completed" : " incomplete")
                    .append(spooled.done ? " done" : "")
                    .append(spooled.givenUp ? " given up" : "")
                    .append(spooled.goneDownstream ? " gone" : "")
                    .append(" receipts ")
                    .append(spooled.receipts.keySet())
                    .append(" of ")
                    .append(chain.owedSubscriptions(spooled.key()))
                    .append(" sender ")
                    .append(sender.progress(spooled.key()));
        }
        return missing.toString();
    }
}
