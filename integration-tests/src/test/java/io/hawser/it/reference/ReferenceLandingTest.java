package io.hawser.it.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.digest.DigestThreads;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.RetryPolicy;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.landing.DeadLetter;
import io.hawser.store.landing.DeliveryOutcome;
import io.hawser.store.landing.LandingArea;
import io.hawser.store.landing.LandingOptions;
import io.hawser.store.landing.VerifiedObject;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.PlainTarget;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/** What the reference reads of a landing area is what the area says when it is opened again. */
class ReferenceLandingTest extends ReferenceLives {
    private static final Path DIRECTORY = Path.of("/landing");
    private static final int FRAGMENT = 8192;
    private static final int STEPS = 120;

    /** Does with each object what its number says; or, while it holds, nothing. */
    private static final class Target extends PlainTarget {
        volatile boolean holds = true;

        @Override
        public void deliver(List<VerifiedObject> objects, Consumer<DeliveryOutcome> done) {
            for (VerifiedObject object : objects) {
                if (holds) {
                    return;
                }
                done.accept(
                        switch ((int) (object.manifest().number() % 5)) {
                            case 0 -> new DeliveryOutcome.Failed(object, "it cannot be");
                            case 1 -> new DeliveryOutcome.Refused(object, "a person must look");
                            case 2 -> new DeliveryOutcome.Later(object, "not now");
                            default -> new DeliveryOutcome.Delivered(object);
                        });
            }
        }
    }

    private final FragmentBufferPool pool = new FragmentBufferPool(FRAGMENT, 64);
    private final Target target = new Target();
    private final List<Receipt> receipts = new CopyOnWriteArrayList<>();
    private long transfers;

    ReferenceLandingTest() {
        super(DIRECTORY.resolve("journal"), 4, 12, 8);
    }

    @Override
    void begin(long seed) {
        transfers = 0;
    }

    @Override
    void life(String name, ReferenceLog left) throws Exception {
        ReferenceLanding expected = ReferenceLanding.read(storage, DIRECTORY);
        target.holds = true;
        try (StoreLoop loop = new StoreLoop();
                DigestThreads digests = DigestThreads.start(1);
                LandingArea area = open(loop, digests)) {
            assertThat(differences(expected, loop, area)).as(name).isEmpty();
            assertThat(loop.call(area::status).journalDamages()).isEqualTo(left.damages());
            loop.run(area::start);
            askAgain(expected, loop, area);
            target.holds = random.nextInt(4) == 0;
            for (int step = 0; step < STEPS; step++) {
                step(loop, area);
            }
            loop.run(() -> {});
            end(3);
        }
    }

    private LandingArea open(StoreLoop loop, DigestThreads digests) throws StorageException {
        LandingOptions options = LandingOptions.in(DIRECTORY, "sub")
                .withHeadroom(0)
                .withRetry(RetryPolicy.forever(Duration.ofMillis(5), Duration.ofMillis(5)));
        return LandingArea.open(storage, options, target, digests, loop.executor(), receipts::add);
    }

    private List<String> differences(ReferenceLanding expected, StoreLoop loop, LandingArea area) {
        List<TransferKey> keys = LongStream.rangeClosed(1, transfers)
                .mapToObj(ReferenceLandingTest::key)
                .toList();
        return loop.<List<String>>ask(done -> LandingComparison.differences(
                        expected, area, "sub", keys, false, differences -> done.accept(Outcome.of(differences))))
                .get();
    }

    /** Whoever asks about a tombstone hears the last word again. */
    private void askAgain(ReferenceLanding expected, StoreLoop loop, LandingArea area) {
        expected.transfers().forEach((key, transfer) -> {
            boolean acked = transfer.phase() == ReferenceLanding.Phase.ACKED;
            if (acked || transfer.phase() == ReferenceLanding.Phase.ACKED_FAILURE) {
                receipts.clear();
                loop.<StoredTransfer>ask(done -> area.lookup(key, done));
                loop.run(() -> {});
                assertThat(receipts)
                        .as("%s %s", key, transfer)
                        .extracting(Receipt::key, Receipt::status)
                        .contains(tuple(key, acked ? ReceiptStatus.DELIVERED : ReceiptStatus.FAILED));
            }
        });
    }

    private static TransferKey key(long number) {
        return new TransferKey(new NodeId(7, 8), new TransferId(1, number));
    }

    private static Manifest manifest(long number, long size) {
        String name = "dir/" + number % 8;
        return new Manifest(
                key(number), number, new Topic("t"), TransferKind.FILE, name, List.of(name), size, FRAGMENT, Map.of());
    }

    private static byte[] content(long number, int length) {
        byte[] bytes = new byte[length];
        new Random(number).nextBytes(bytes);
        return bytes;
    }

    private Fragment fragment(long number, byte[] content, int index) {
        FragmentBuffer buffer = null;
        while (buffer == null) {
            buffer = pool.tryAcquire();
        }
        int from = index * FRAGMENT;
        int length = Math.min(FRAGMENT, content.length - from);
        buffer.payload(0, length).put(content, from, length);
        ByteBuffer payload = buffer.payload(0, length);
        return new Fragment(key(number), index, length, Crc32c.of(payload), TreeDigest.leaf(payload), buffer, 0);
    }

    private static Commit commit(byte[] content) {
        TreeDigest.Builder tree = new TreeDigest.Builder();
        for (int from = 0; from < content.length; from += FRAGMENT) {
            tree.add(TreeDigest.leaf(ByteBuffer.wrap(content, from, Math.min(FRAGMENT, content.length - from))
                    .slice()));
        }
        return new Commit(content.length, tree.count(), tree.root(content.length, FRAGMENT));
    }

    private static final String ANOTHER_MEMBER = "another member of the group gets it";
    private static final int LARGE = 2 * FRAGMENT + 100;

    private void step(StoreLoop loop, LandingArea area) {
        long any = Math.max(1, transfers - random.nextInt(12));
        switch (random.nextInt(10)) {
            case 0, 1 -> {
                long number = ++transfers;
                byte[] content = content(number, random.nextInt(FRAGMENT));
                Fragment fragment = fragment(number, content, 0);
                loop.<List<String>>ask(done -> {
                    area.small(manifest(number, content.length), fragment, commit(content), done);
                    fragment.buffer().release();
                });
            }
            case 2, 3 -> {
                long number = ++transfers;
                loop.<Manifest>ask(done -> area.open(manifest(number, random.nextBoolean() ? -1 : LARGE), done));
            }
            case 4, 5 -> offer(loop, area, any, random.nextInt(3));
            case 6 -> {
                for (int index = 0; index < 3; index++) {
                    offer(loop, area, any, index);
                }
                loop.<List<String>>ask(done -> area.commit(key(any), commit(content(any, LARGE)), done));
            }
            case 7 -> {
                if (random.nextInt(3) == 0) {
                    loop.<TransferKey>ask(
                            done -> area.cancel(key(any), random.nextBoolean() ? "not wanted" : ANOTHER_MEMBER, done));
                }
            }
            case 8 -> {
                for (Receipt receipt : loop.call(area::pendingReceipts)) {
                    if (random.nextBoolean()) {
                        loop.run(() -> area.receiptAcked(receipt.key(), receipt.subscription(), receipt.status()));
                    }
                }
            }
            default -> {
                List<DeadLetter> dead = loop.call(area::deadLetters);
                if (dead.size() > 4) {
                    TransferKey key = TransferKey.parse(dead.get(0).transfer());
                    loop.<TransferKey>ask(done -> area.dropDead(key, done));
                }
            }
        }
    }

    private void offer(StoreLoop loop, LandingArea area, long number, int index) {
        Fragment fragment = fragment(number, content(number, LARGE), index);
        Outcome<Fragment> unused = loop.ask(done -> {
            area.fragment(fragment, done);
            fragment.buffer().release();
        });
    }
}
