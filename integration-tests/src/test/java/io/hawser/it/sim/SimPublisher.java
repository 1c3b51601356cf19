package io.hawser.it.sim;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.HopSender;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.SampleTransfer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A publisher: clients upload into its spool, and its hop sender sends what is durable there. */
final class SimPublisher extends SimClient {
    private static final String[] PATHS = {"a", "b", "d", "d/x", "d/y/z"};

    private static final int[] FAR_APART = {0, 1, 3};

    /** What a client is about to upload, or which name it is about to change. */
    private record Wish(TransferKind kind, String path, String target, Topic topic, int sizeBytes, boolean sizeKnown) {
        List<String> touched() {
            return target.isEmpty() ? List.of(path) : List.of(path, target);
        }

        Map<String, String> attributes() {
            return kind == TransferKind.RENAME ? Map.of(Attributes.RENAMED_TO, target) : Map.of();
        }
    }

    private final SimOrigin origin;
    private final SimReader reader;
    private final Set<TransferKey> uploading = new LinkedHashSet<>();
    private FragmentBufferPool pool;
    private HopSender sender;
    private boolean ready;
    private int unfinishedWishes;
    private int beginning;
    private long lastNumber;

    SimPublisher(SimChain chain, String name, NodeId id) {
        super(chain, name, id);
        origin = new SimOrigin(this);
        reader = new SimReader(this);
        pool = new FragmentBufferPool(chain.plan.bufferBytes(), 4);
        sender = new HopSender(chain.plan.hop, origin);
    }

    FragmentBufferPool pool() {
        return pool;
    }

    SimOrigin origin() {
        return origin;
    }

    SimReader reader() {
        return reader;
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
                    TransferKind.FILE,
                    path(PATHS[chain.random.nextInt(PATHS.length)]),
                    "",
                    chain.topic(chain.random.nextInt(chain.plan.topics)),
                    bytes,
                    chain.random.nextBoolean());
            long at = chain.random.nextLong(chain.plan.faultPhaseNanos);
            if (chain.mayBegin()) {
                wishFor(wish, at);
            }
        }
        if (chain.plan.edges()) {
            planNameChanges(count);
            planReads(2 * count);
        }
    }

    /** One upload of as many fragments, the last of them not whole, of unknown size. */
    void planUploadOf(int fragments) {
        int bytes = fragments * chain.plan.fragmentSizeBytes - 1;
        wishFor(new Wish(TransferKind.FILE, "a", "", chain.topic(0), bytes, false), Plan.MILLIS);
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
            Topic topic = chain.topic(chain.random.nextInt(chain.plan.topics));
            Wish wish = renames
                    ? new Wish(TransferKind.RENAME, path, target, topic, 0, true)
                    : new Wish(
                            chain.random.nextInt(4) == 0 ? TransferKind.MAKE_DIRECTORY : TransferKind.DELETE,
                            path,
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

    private void wishFor(Wish wish, long delayNanos) {
        unfinishedWishes++;
        chain.scheduler.after(delayNanos, () -> {
            unfinishedWishes--;
            if (up && ready && !isStopped() && !origin.journal.failed()) {
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
                wish.kind,
                wish.path,
                chain.plan.bug == PlantedBug.PATHS_LEFT_OUT ? List.of() : wish.touched(),
                wish.sizeKnown ? wish.sizeBytes : Manifest.UNKNOWN_SIZE,
                chain.plan.fragmentSizeBytes,
                wish.attributes());
        byte[] content = new byte[wish.sizeBytes];
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) chain.random.nextInt();
        }
        SampleTransfer sample = SampleTransfer.of(manifest, content);
        chain.truth(sample, wish.touched());
        uploading(key, wish.kind.hasBytes());
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

    /** Counts names that change behind an upload that is still coming in. */
    private void uploading(TransferKey key, boolean hasBytes) {
        if (hasBytes) {
            uploading.add(key);
        } else if (uploading.stream().anyMatch(other -> chain.sharePath(other, key))) {
            chain.count(Fault.NAME_CHANGE_BEHIND_AN_UPLOAD);
        }
    }

    private void complete(SimOrigin.Spooled spooled) {
        SampleTransfer sample = spooled.sample;
        uploading.remove(spooled.key());
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
            sender.resume(spooled.key());
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
        uploading.remove(spooled.key());
        origin.journal.append(new SimOrigin.GivenUp(spooled.key()), outcome -> {
            if (!outcome.isRefused()) {
                sender.cancel(spooled.key(), "the client gave up");
            }
        });
        if (chain.random.nextBoolean()) {
            Manifest old = spooled.sample.manifest();
            int bytes = chain.random.nextInt(3 * chain.plan.fragmentSizeBytes);
            wishFor(new Wish(TransferKind.FILE, old.name(), "", old.topic(), bytes, false), chain.slow());
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
        reader.boot();
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
            if (spooled.completed) { // what was lost after its end may be committed there, and then the commit stands
                sender.commit(manifest.key(), spooled.sample.commit(), manifest.number(), null);
            }
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
        if (chain.plan.hostile() && ready) {
            origin.damageWhileDown();
        }
        ready = false;
        beginning = 0;
        uploading.clear();
        dropSession();
        origin.journal.crash(powerCut);
        origin.transfers.clear();
    }

    @Override
    void tick() {
        sender.tick(chain.scheduler.nowNanos());
        if (chain.plan.edges()) {
            reader.handler().tick(chain.scheduler.nowNanos());
        }
    }

    // --- the session

    @Override
    void sessionUp(SimSession session) {
        sender.linkUp(session.clientLink());
        if (chain.plan.edges()) {
            session.calls(true).up(reader.handler());
            reader.sessionUp();
        }
    }

    @Override
    void sessionDown(SimSession session) {
        sender.linkDown();
        session.calls(true).down();
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
        if (!up || !ready || !reader.isIdle() || unfinishedWishes > 0 || beginning > 0 || sender.size() > 0) {
            return false;
        }
        for (SimOrigin.Spooled spooled : origin.transfers.values()) {
            boolean finished = spooled.done && hasAllReceipts(spooled);
            boolean ended =
                    spooled.givenUp ? spooled.goneDownstream || (chain.isLost(spooled.key()) && finished) : finished;
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
