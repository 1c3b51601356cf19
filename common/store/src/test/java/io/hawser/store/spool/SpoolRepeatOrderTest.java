package io.hawser.store.spool;

import static io.hawser.store.spool.SpoolFixture.FRAGMENT;
import static io.hawser.store.spool.SpoolFixture.bytes;
import static io.hawser.store.spool.SpoolFixture.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.hop.Outcome;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.SampleTransfer;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that come again at random, between changed ones and restarts of the node, and a far end whose files others change: what arrives is in
 * order, and it is what was uploaded last.
 */
class SpoolRepeatOrderTest extends OnOneSpool {
    private static final String SITE = "site-b";
    private static final int STEPS = 70;

    private final List<byte[]> versions =
            List.of(bytes(2 * FRAGMENT + 9, 1), bytes(2 * FRAGMENT + 9, 2), bytes(FRAGMENT, 3));
    private final Map<String, byte[]> far = new HashMap<>();
    private final Map<String, Long> lastApplied = new HashMap<>();
    private final Deque<Receipt> receipts = new ArrayDeque<>();
    private final Set<TransferKey> taken = new HashSet<>();
    private int sent;
    private int confirmed;
    private int refused;
    private Random random = new Random();

    private void upload(String name) {
        upload(name, versions.get(random.nextInt(3) == 0 ? random.nextInt(versions.size()) : 0));
    }

    private void upload(String name, byte[] content) {
        Upload upload = it.begin(request(name, "ann"));
        it.write(upload, content, 0);
        it.finish(upload, content.length).get();
    }

    /** The next hop takes one transfer that may go, if there is one, and the far end applies it. */
    private boolean takeOne() {
        Optional<Manifest> next = it.onLoop(() -> it.listener.transfers.values().stream()
                .filter(announced -> announced.commit != null && isFirst(announced.manifest))
                .map(announced -> announced.manifest)
                .min(Comparator.comparingLong(Manifest::number)));
        next.ifPresent(this::take);
        return next.isPresent();
    }

    private boolean isFirst(Manifest manifest) {
        return !isOver(manifest.key())
                && it.listener.transfers.values().stream()
                        .map(announced -> announced.manifest)
                        .noneMatch(earlier -> earlier.number() < manifest.number()
                                && earlier.name().equals(manifest.name())
                                && !isOver(earlier.key()));
    }

    /** Loop. */
    private boolean isOver(TransferKey key) {
        return taken.contains(key)
                || it.spool.state(key).map(state -> state.phase().isFinal()).orElse(true);
    }

    private void take(Manifest manifest) {
        String name = manifest.name();
        assertThat(manifest.number()).isGreaterThan(lastApplied.getOrDefault(name, 0L));
        lastApplied.put(name, manifest.number());
        boolean delivered = true;
        if (manifest.kind() == TransferKind.PATCH) {
            delivered = far.containsKey(name)
                    && SampleTransfer.of(manifest, far.get(name))
                            .commit()
                            .digest()
                            .toString()
                            .equals(manifest.attributes().get(Attributes.BASE_DIGEST));
            confirmed += delivered ? 1 : 0;
            refused += delivered ? 0 : 1;
        } else {
            far.put(name, it.content(manifest.key()));
            sent++;
        }
        taken.add(manifest.key());
        it.run(() -> it.spool.committed(manifest.key(), List.of(SITE)));
        it.awaitPhase(manifest.key(), SpoolPhase.BROKERED);
        receipts.add(new Receipt(
                manifest.key(),
                SITE,
                delivered ? ReceiptStatus.DELIVERED : ReceiptStatus.FAILED,
                delivered ? "" : "the file has changed",
                5));
    }

    private void answerOne() {
        Receipt receipt = receipts.poll();
        if (receipt != null) {
            Answer<Long> durable = new Answer<>();
            it.run(() -> it.spool.receipt(receipt, () -> durable.accept(Outcome.of(0L))));
            durable.outcome();
        }
    }

    private void awaitQuiet() {
        await().until(() -> {
            boolean moved = takeOne();
            answerOne();
            return !moved
                    && receipts.isEmpty()
                    && it.onLoop(() -> it.spool.usage().pending()) == 0;
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    @Invariant({InvariantName.ORDER_BY_PATH, InvariantName.EXACTLY_ONCE_DELIVERY, InvariantName.HONEST_ANSWERS})
    void farEndHasWhatWasUploadedLast(long seed) throws Exception {
        random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            String name = random.nextBoolean() ? "f" : "g";
            switch (random.nextInt(12)) {
                case 0, 1, 2 -> upload(name);
                case 3 -> far.put(name, bytes(FRAGMENT, seed + step));
                case 4 -> {
                    if (random.nextBoolean()) {
                        reopen();
                    }
                }
                case 5, 6, 7 -> answerOne();
                default -> takeOne();
            }
        }
        awaitQuiet();

        for (String name : List.of("f", "g")) {
            upload(name, versions.get(0));
            awaitQuiet();
            far.put(name, bytes(FRAGMENT, seed));
            upload(name, versions.get(0));
            awaitQuiet();
            assertThat(far.get(name)).isEqualTo(versions.get(0));
        }
        assertThat(sent).isPositive();
        assertThat(confirmed + refused).isPositive();
    }
}
