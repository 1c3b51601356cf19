package io.hawser.agenta.testkit;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.SourceFingerprint;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.SpoolOutlet;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.SpoolUsage;
import io.hawser.store.spool.TransferSnapshot;
import io.hawser.store.spool.Upload;
import io.hawser.store.spool.UploadRequest;
import io.netty.channel.EventLoop;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A spool in memory that keeps the promises of {@link Spool} on threads and buffers, and whose disk can be slow or full.
 *
 * <p>Thread: the loop; methods that say so from a test.
 */
public final class TestSpool implements Spool {
    private final EventLoop loop;
    private final Map<TransferKey, Held> transfers = new LinkedHashMap<>();
    private @Nullable Refusal cancelFailure;
    /** Topics with transfers that are no longer followed. */
    public final Set<Topic> unfollowed = ConcurrentHashMap.newKeySet();

    private final ArrayDeque<Runnable> slowDisk = new ArrayDeque<>();
    /** How often all transfers were looked at. */
    public final AtomicInteger walks = new AtomicInteger();

    /** How often a fragment was put aside. */
    public final AtomicInteger parkedFragments = new AtomicInteger();

    private final List<Consumer<TransferSnapshot>> observers = new ArrayList<>();
    private long numbers;
    private boolean slow;
    private boolean writeFails;
    private long gap = Long.MAX_VALUE;
    private @Nullable Refusal full;
    private @Nullable Refusal nextEnd;

    public TestSpool(EventLoop loop) {
        this.loop = loop;
    }

    /** From a test: what it held is no longer known, as after its journal is cleaned. */
    public void forgetAll() {
        onLoop(() -> {
            transfers.clear();
            return true;
        });
    }

    /** From a test: the disk takes nothing until {@link #fastDisk}. */
    public void slowDisk() {
        onLoop(() -> {
            slow = true;
            return true;
        });
    }

    /** From a test: everything that waits becomes durable, in the order it came, and what follows at once. */
    public void fastDisk() {
        onLoop(() -> {
            slow = false;
            slowDisk.forEach(loop::execute);
            slowDisk.clear();
            return true;
        });
    }

    /** From a test: one write that waits becomes durable; whether there was one. */
    public boolean oneWrite() {
        return onLoop(() -> {
            Runnable write = slowDisk.poll();
            if (write != null) {
                write.run();
            }
            return write != null;
        });
    }

    /** From a test: the end of an upload, or a change, that waits longest fails. */
    public void failOneWrite() {
        onLoop(() -> {
            writeFails = true;
            slowDisk.remove().run();
            writeFails = false;
            return true;
        });
    }

    /** From a test: how many writes wait for the slow disk. */
    public int writesThatWait() {
        return onLoop(slowDisk::size);
    }

    /** From a test: what the start after a crash makes of uploads that were coming in. */
    public void crash() {
        onLoop(() -> {
            transfers.values().stream()
                    .filter(held -> held.phase == SpoolPhase.RECEIVING)
                    .forEach(held -> held.abandon("crash"));
            return true;
        });
    }

    /** From a test: a crash has left a gap in every upload at that position. */
    public void gapAt(long positionBytes) {
        onLoop(() -> {
            gap = positionBytes;
            return true;
        });
    }

    /** From a test: every upload is refused so, or none. */
    public void refuse(@Nullable Refusal refusal) {
        onLoop(() -> {
            full = refusal;
            return true;
        });
    }

    /** From a test: the next upload that ends is refused so. */
    public void refuseNextEnd(Refusal refusal) {
        onLoop(() -> {
            nextEnd = refusal;
            return true;
        });
    }

    /** From a test: the content of the newest complete transfer of that name, or null. */
    public byte @Nullable [] content(String topic, String name) {
        return onLoop(() -> newest(new Topic(topic), name, SpoolPhase.SPOOLED)
                .map(held -> held.bytes(held.size))
                .orElse(null));
    }

    /** From a test: all transfers, by number. */
    public List<TransferSnapshot> all() {
        return onLoop(this::states);
    }

    /** From a test: the next hop has everything, and the content is no longer kept here. */
    public void forgetContents() {
        onLoop(() -> {
            for (Held held : transfers.values()) {
                if (held.phase == SpoolPhase.SPOOLED) {
                    held.phase = SpoolPhase.BROKERED;
                    held.kept = false;
                }
            }
            return true;
        });
    }

    /** From a test: everything that was accepted has been delivered. */
    public void finishAll() {
        onLoop(() -> {
            for (Held held : transfers.values()) {
                if (held.phase == SpoolPhase.SPOOLED || held.phase == SpoolPhase.BROKERED) {
                    held.phase = SpoolPhase.FINISHED;
                    held.kept = false;
                }
            }
            return true;
        });
    }

    /** From a test: that one has been delivered, or is no longer followed if receipts are missing. */
    public void finish(TransferKey key) {
        onLoop(() -> {
            Held held = Objects.requireNonNull(transfers.get(key));
            held.phase = SpoolPhase.FINISHED;
            held.kept = false;
            changed(key);
            return true;
        });
    }

    private <T> T onLoop(Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, loop).join();
    }

    private void disk(Runnable done) {
        if (slow) {
            slowDisk.add(done);
        } else {
            loop.execute(done);
        }
    }

    private final class Held implements Upload {
        private final Manifest manifest;
        private SpoolPhase phase = SpoolPhase.RECEIVING;
        private byte[] bytes = new byte[0];
        private long durable;
        private long size = Manifest.UNKNOWN_SIZE;
        private String reason = "";
        private String lackingRight = "";
        private List<String> deliverySet = List.of();
        private final List<Receipt> receipts = new ArrayList<>();
        private boolean kept = true;

        private Held(Manifest manifest) {
            this.manifest = manifest;
        }

        private long prefix() {
            long index = durableFragments().firstMissing(0);
            return Math.min(index * manifest.fragmentSizeBytes() + durableLength(index), gap);
        }

        private byte[] bytes(long length) {
            return Arrays.copyOf(bytes, (int) length);
        }

        @Override
        public long durableEndBytes() {
            return lengths.entrySet().stream()
                    .mapToLong(entry -> entry.getKey() * manifest.fragmentSizeBytes() + entry.getValue())
                    .max()
                    .orElse(0);
        }

        @Override
        public TransferKey key() {
            return manifest.key();
        }

        @Override
        public Manifest manifest() {
            return manifest;
        }

        @Override
        public long resumePositionBytes() {
            return resumedAt;
        }

        private long resumedAt;

        @Override
        public void loadPartial(FragmentBuffer into, Outcome.Callback<Integer> done) {
            int fragment = manifest.fragmentSizeBytes();
            int length = (int) (durable % fragment);
            into.payload(0, length).put(bytes, (int) (durable - length), length);
            loop.execute(() -> done.accept(Outcome.of(length)));
        }

        private final Map<Long, Integer> lengths = new HashMap<>();
        private final Map<Long, byte[]> parked = new HashMap<>();

        @Override
        public int durableLength(long index) {
            return lengths.getOrDefault(index, 0);
        }

        @Override
        public FragmentRanges durableFragments() {
            FragmentRanges full = new FragmentRanges();
            lengths.forEach((index, length) -> {
                if (length == manifest.fragmentSizeBytes()) {
                    full.add(index);
                }
            });
            return full;
        }

        @Override
        public void load(long index, FragmentBuffer into, Outcome.Callback<Integer> done) {
            int length = durableLength(index);
            into.payload(0, length).put(bytes, (int) (index * manifest.fragmentSizeBytes()), length);
            loop.execute(() -> done.accept(Outcome.of(length)));
        }

        @Override
        public void park(long index, FragmentBuffer buffer, int start, int end, Outcome.Callback<Long> done) {
            byte[] content = new byte[manifest.fragmentSizeBytes()];
            buffer.payload(start, end - start).get(content, start, end - start);
            parked.put(index, content);
            parkedFragments.incrementAndGet();
            disk(() -> done.accept(Outcome.of(index)));
        }

        @Override
        public void unpark(long index, FragmentBuffer into, Outcome.Callback<Long> done) {
            into.payload(0, manifest.fragmentSizeBytes()).put(Objects.requireNonNull(parked.get(index)));
            disk(() -> done.accept(Outcome.of(index)));
        }

        @Override
        public void writeParked(long index, int length, Outcome.Callback<Long> written) {
            FragmentBuffer buffer =
                    Objects.requireNonNull(new FragmentBufferPool(manifest.fragmentSizeBytes(), 1).tryAcquire());
            buffer.payload(0, length).put(Objects.requireNonNull(parked.get(index)), 0, length);
            write(index, buffer, length, written);
            buffer.release();
        }

        @Override
        public boolean reserve(int fragments) {
            return true;
        }

        @Override
        public void whenSpace(Outcome.Callback<Upload> done) {
            loop.execute(() -> done.accept(Outcome.of(this)));
        }

        @Override
        public void write(long index, FragmentBuffer buffer, int length, Outcome.Callback<Long> written) {
            assert loop.inEventLoop();
            long position = index * manifest.fragmentSizeBytes();
            byte[] content = new byte[length];
            buffer.payload(0, length).get(content);
            int known = Math.min(durableLength(index), length);
            if (known > 0 && !Arrays.equals(bytes, (int) position, (int) position + known, content, 0, known)) {
                loop.execute(() -> written.accept(Outcome.refused(ErrorCode.DIGEST_MISMATCH, "differs")));
                return;
            }
            buffer.retain();
            disk(() -> {
                buffer.release();
                long end = position + length;
                if (end > bytes.length) {
                    bytes = bytes(Math.max(end, 2L * bytes.length));
                }
                System.arraycopy(content, 0, bytes, (int) position, length);
                durable = Math.max(durable, end);
                lengths.put(index, length);
                written.accept(Outcome.of(index));
            });
        }

        @Override
        public void finish(long sizeBytes, Outcome.Callback<Commit> done) {
            Refusal refusal = nextEnd;
            nextEnd = null;
            if (refusal != null) {
                phase = SpoolPhase.CANCELLED;
                loop.execute(() -> done.accept(Outcome.refused(refusal)));
                return;
            }
            disk(() -> {
                if (writeFails) {
                    phase = SpoolPhase.CANCELLED;
                    done.accept(Outcome.refused(ErrorCode.STORAGE_FAILED, "the disk failed"));
                    return;
                }
                size = sizeBytes;
                phase = SpoolPhase.SPOOLED;
                done.accept(Outcome.of(commit()));
            });
        }

        private Commit commit() {
            int fragment = manifest.fragmentSizeBytes();
            return new Commit(size, Manifest.fragmentCount(size, fragment), new TransferDigest(fragment, new byte[32]));
        }

        @Override
        public void abandon(String why) {
            phase = SpoolPhase.INCOMPLETE;
            reason = why;
        }

        @Override
        public void abandonDifferent(String why) {
            abandon(why);
        }

        @Override
        public void cancel(String why) {
            phase = SpoolPhase.CANCELLED;
            reason = why;
        }

        private @Nullable Refusal refusal() {
            if (!reason.isEmpty()) {
                return new Refusal(ErrorCode.CANCELLED, reason);
            }
            return lackingRight.isEmpty() ? null : new Refusal(ErrorCode.NOT_ALLOWED, lackingRight);
        }

        private boolean isUnderWay() {
            return (phase == SpoolPhase.SPOOLED || phase == SpoolPhase.BROKERED) && !state().isNowhere();
        }

        private TransferSnapshot state() {
            return new TransferSnapshot(
                    manifest,
                    phase,
                    size != Manifest.UNKNOWN_SIZE ? commit() : null,
                    durable,
                    0,
                    deliverySet,
                    receipts,
                    refusal(),
                    null,
                    kept,
                    0,
                    false,
                    false);
        }
    }

    private Held add(UploadRequest request) {
        long number = ++numbers;
        TransferKey key = new TransferKey(nodeId(), TransferId.of(System.currentTimeMillis(), 0, number));
        Held held = new Held(new Manifest(
                key,
                number,
                request.topic(),
                request.kind(),
                request.name(),
                request.paths(),
                request.sizeBytes(),
                request.fragmentSizeBytes(),
                request.attributesOf(key)));
        transfers.put(key, held);
        return held;
    }

    @Override
    public NodeId nodeId() {
        return new NodeId(1, 2);
    }

    @Override
    public long epoch() {
        return 1;
    }

    @Override
    public void start(SpoolOutlet listener) {}

    @Override
    public Outcome<Upload> restart(UploadRequest request, Semaphore waitingPlaces) {
        return begin(request);
    }

    @Override
    public Outcome<Upload> begin(UploadRequest request) {
        assert loop.inEventLoop();
        if (full != null) {
            return new Outcome<>(null, full);
        }
        newest(request.topic(), request.name(), SpoolPhase.INCOMPLETE).ifPresent(held -> held.cancel("superseded"));
        return Outcome.of(add(request));
    }

    @Override
    public Optional<Refusal> refusalFor(long sizeBytes) {
        return Optional.ofNullable(full);
    }

    @Override
    public Outcome<TransferKey> sendSmall(UploadRequest request, ByteBuffer content, Outcome.Callback<Commit> durable) {
        if (full != null) {
            return new Outcome<>(null, full);
        }
        Held held = add(request);
        held.bytes = new byte[content.remaining()];
        content.get(held.bytes);
        held.durable = held.bytes.length;
        held.finish(held.durable, durable);
        return Outcome.of(held.key());
    }

    @Override
    public Outcome<TransferKey> reference(UploadRequest request, Path source, Outcome.Callback<Commit> durable) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<TransferSnapshot> findIncomplete(@Nullable String account, Topic topic, String name) {
        return newest(topic, name, SpoolPhase.INCOMPLETE)
                .filter(held -> held.manifest.kind() == TransferKind.FILE)
                .filter(held ->
                        Objects.equals(account, held.manifest.attributes().get(Attributes.ACCOUNT)))
                .map(Held::state);
    }

    @Override
    public OptionalLong resumePositionBytes(TransferKey key) {
        Held held = transfers.get(key);
        return held == null || held.phase != SpoolPhase.INCOMPLETE
                ? OptionalLong.empty()
                : OptionalLong.of(held.prefix());
    }

    @Override
    public Outcome<Upload> resume(TransferKey key) {
        Held held = transfers.get(key);
        if (held == null || held.phase != SpoolPhase.INCOMPLETE) {
            return Outcome.refused(ErrorCode.NOT_FOUND, "no such upload");
        }
        held.phase = SpoolPhase.RECEIVING;
        held.resumedAt = held.prefix();
        return Outcome.of(held);
    }

    private Optional<Held> newest(Topic topic, String name, SpoolPhase phase) {
        return transfers.values().stream()
                .filter(held -> held.manifest.topic().equals(topic)
                        && held.manifest.name().equals(name)
                        && held.phase == phase
                        && (held.manifest.kind().hasBytes() || held.manifest.kind() == TransferKind.MAKE_DIRECTORY))
                .max(Comparator.comparingLong(held -> held.manifest.number()));
    }

    @Override
    public Optional<TransferSnapshot> find(Topic topic, String name) {
        return transfers.values().stream()
                .filter(held -> held.manifest.topic().equals(topic)
                        && held.manifest.name().equals(name)
                        && held.manifest.kind() != TransferKind.PATCH
                        && (held.manifest.kind().hasBytes() || held.manifest.kind() == TransferKind.MAKE_DIRECTORY)
                        && (held.phase == SpoolPhase.RECEIVING || held.phase == SpoolPhase.SPOOLED))
                .max(Comparator.comparingLong(held -> held.manifest.number()))
                .map(Held::state);
    }

    @Override
    public List<TransferSnapshot> comingIn(Topic topic, String name) {
        return transfers.values().stream()
                .filter(held -> held.phase == SpoolPhase.RECEIVING
                        && held.manifest.topic().equals(topic)
                        && held.manifest.name().equals(name))
                .map(Held::state)
                .toList();
    }

    @Override
    public List<TransferSnapshot> touching(Topic topic, String path) {
        List<TransferSnapshot> found = new ArrayList<>();
        for (Held held : transfers.values()) {
            boolean touches = held.manifest.topic().equals(topic)
                    && held.manifest.paths().stream().anyMatch(p -> p.equals(path) || path.startsWith(p + "/"));
            if (touches && held.isUnderWay()) {
                found.add(0, held.state());
            }
        }
        return found;
    }

    @Override
    public Optional<TransferSnapshot> lastEnded(Topic topic, String path) {
        return transfers.values().stream()
                .filter(held -> held.phase == SpoolPhase.FINISHED
                        && held.manifest.topic().equals(topic)
                        && held.manifest.paths().contains(path))
                .max(Comparator.comparingLong(held -> held.manifest.number()))
                .map(Held::state);
    }

    @Override
    public boolean hasUnfollowed(Topic topic) {
        return unfollowed.contains(topic);
    }

    @Override
    public boolean isTouchedBelow(Topic topic, String directory) {
        return transfers.values().stream()
                .filter(Held::isUnderWay)
                .map(held -> held.manifest)
                .anyMatch(manifest -> manifest.topic().equals(topic)
                        && manifest.paths().stream()
                                .anyMatch(p -> directory.isEmpty() || p.startsWith(directory + "/")));
    }

    @Override
    public Optional<TransferSnapshot> findReference(Topic topic, String name, SourceFingerprint source) {
        return Optional.empty();
    }

    @Override
    public void onFailure(BiConsumer<TransferSnapshot, Receipt> observer) {
        // Its bytes are in memory: nothing loses them.
    }

    @Override
    public Optional<String> lostAtNextHop() {
        return Optional.empty();
    }

    /** From now on no cancel becomes durable. */
    public void failCancels(Refusal failure) {
        cancelFailure = failure;
    }

    @Override
    public Outcome<TransferKey> cancel(TransferKey key, String reason, Outcome.Callback<TransferKey> done) {
        Objects.requireNonNull(transfers.get(key)).cancel(reason);
        Refusal failure = cancelFailure;
        done.accept(failure == null ? Outcome.of(key) : Outcome.refused(failure));
        return Outcome.of(key);
    }

    @Override
    public Optional<TransferSnapshot> state(TransferKey key) {
        return Optional.ofNullable(transfers.get(key)).map(Held::state);
    }

    @Override
    public List<TransferSnapshot> states() {
        walks.incrementAndGet();
        List<TransferSnapshot> states = new ArrayList<>();
        transfers.values().forEach(held -> states.add(held.state()));
        return states;
    }

    @Override
    public Runnable observe(TransferKey key, Consumer<TransferSnapshot> observer) {
        Consumer<TransferSnapshot> ofThat = state -> {
            if (state.key().equals(key)) {
                observer.accept(state);
            }
        };
        observers.add(ofThat);
        return () -> observers.remove(ofThat);
    }

    private void changed(TransferKey key) {
        TransferSnapshot state = Objects.requireNonNull(transfers.get(key)).state();
        List.copyOf(observers).forEach(observer -> observer.accept(state));
    }

    /** From a test: the broker has the transfer and owes it to these. */
    public void brokered(TransferKey key, String... subscriptions) {
        onLoop(() -> {
            committed(key, List.of(subscriptions));
            return true;
        });
    }

    /** From a test: the broker does not let the transfer in for want of a right; an empty sentence: it does now. */
    public void lacksRight(TransferKey key, String why) {
        onLoop(() -> {
            Objects.requireNonNull(transfers.get(key)).lackingRight = why;
            changed(key);
            return true;
        });
    }

    /** From a test: a subscription says how far it is. */
    public void receipt(TransferKey key, String subscription, ReceiptStatus status, String reason) {
        onLoop(() -> {
            receipt(new Receipt(key, subscription, status, reason, 0), () -> {});
            return true;
        });
    }

    @Override
    public Runnable pin(TransferKey key) {
        return () -> {};
    }

    @Override
    public SpoolUsage usage() {
        return new SpoolUsage(0, 0, 0, 0, Long.MAX_VALUE, 0, 0, 0);
    }

    @Override
    public void load(TransferKey key, long index, Outcome.Callback<Fragment> done) {
        Held held = Objects.requireNonNull(transfers.get(key));
        int fragment = held.manifest.fragmentSizeBytes();
        FragmentBuffer buffer = Objects.requireNonNull(new FragmentBufferPool(fragment, 1).tryAcquire());
        int length =
                held.size == Manifest.UNKNOWN_SIZE ? fragment : Manifest.fragmentLength(index, held.size, fragment);
        buffer.payload(0, length).put(held.bytes, (int) index * fragment, length);
        loop.execute(() -> done.accept(Outcome.of(new Fragment(key, index, length, 0, new byte[32], buffer, 0))));
    }

    @Override
    public void damagedDownstream(TransferKey key, long index) {}

    @Override
    public void acked(TransferKey key, FragmentRanges ranges) {}

    @Override
    public void committed(TransferKey key, List<String> deliverySet) {
        Held held = Objects.requireNonNull(transfers.get(key));
        held.phase = SpoolPhase.BROKERED;
        held.deliverySet = deliverySet;
        changed(key);
    }

    @Override
    public void receipt(Receipt receipt, Runnable durable) {
        List<Receipt> receipts = Objects.requireNonNull(transfers.get(receipt.key())).receipts;
        receipts.removeIf(known -> known.subscription().equals(receipt.subscription()));
        receipts.add(receipt);
        changed(receipt.key());
    }

    @Override
    public void refused(TransferKey key, Refusal refusal) {}

    @Override
    public void cancelled(TransferKey key) {}

    @Override
    public void close() {}
}
