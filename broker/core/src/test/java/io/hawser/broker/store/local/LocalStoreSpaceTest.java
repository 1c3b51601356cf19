package io.hawser.broker.store.local;

import static io.hawser.broker.store.StoreDriver.FRAGMENT_BYTES;
import static io.hawser.broker.store.StoreDriver.key;
import static io.hawser.broker.store.StoreDriver.manifest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.broker.relay.RelayRecord;
import io.hawser.broker.store.QuotaResolver;
import io.hawser.broker.store.QuotaUse;
import io.hawser.broker.store.StoreDriver;
import io.hawser.core.access.Identity;
import io.hawser.core.access.Quota;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.StartAt;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.Storage;
import io.hawser.store.testkit.Interposed;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LocalStoreSpaceTest extends LocalStoreOnDisk {
    private static final long QUOTA_BYTES = 10L * FRAGMENT_BYTES;
    private static final long HEAD_ROOM_BYTES = 1 << 20;

    private final AtomicLong usableBytes = new AtomicLong(1L << 40);

    @Override
    protected LocalStoreConfig config() {
        return super.config().withQuota(QUOTA_BYTES);
    }

    /** A real disk that claims to have so much space. */
    @Override
    protected Storage storage() {
        return Interposed.before(
                new DiskStorage(),
                (method, arguments, real) -> method.equals("usableSpaceBytes") ? usableBytes.get() : real.call());
    }

    private @Nullable Refusal admit(long number, long sizeBytes) {
        return store.admit(manifest(number, sizeBytes), () -> false).refusal();
    }

    @Test
    void whatCouldNeverFitIsToldApartFromWhatMustWait() {
        assertThat(Objects.requireNonNull(admit(1, QUOTA_BYTES + 1)).code()).isEqualTo(ErrorCode.TOO_LARGE);
        assertThat(store.fitsAlone(manifest(1, QUOTA_BYTES + 1))).isFalse();
        assertThat(store.fitsAlone(manifest(2, QUOTA_BYTES))).isTrue();
        assertThat(admit(2, QUOTA_BYTES)).isNull();
        Refusal refusal = Objects.requireNonNull(admit(3, 1));
        assertThat(refusal.code()).isEqualTo(ErrorCode.NO_SPACE);
        assertThat(refusal.detail()).contains("1,310,720 bytes", "promised", "by itself");
    }

    @Test
    void aPromiseIsKeptThroughOpeningWritingCommitAndARestart() throws Exception {
        long half = QUOTA_BYTES / 2;
        assertThat(admit(1, half)).isNull();
        assertThat(admit(2, half + 1)).isNotNull();
        driver.append(new RelayRecord.Opened(manifest(1, half)));
        assertThat(admit(2, half + 1)).isNotNull();
        driver.fragment(1, 0, FRAGMENT_BYTES);
        assertThat(admit(2, half + 1)).isNotNull();

        reopen();

        assertThat(store.sizes().reservedBytes()).isEqualTo(half - FRAGMENT_BYTES);
        assertThat(admit(2, half + 1)).isNotNull();
        assertThat(admit(2, half)).isNull();
    }

    @Test
    void whenATransferIsSettledOthersAreLetInAgainByThemselves() {
        driver.subscribe("one", StartAt.NOW, true);
        assertThat(admit(1, QUOTA_BYTES)).isNull();
        driver.put(1, QUOTA_BYTES, "one");
        assertThat(admit(2, 1)).isNotNull();
        assertThat(store.admitFragment(manifest(3, Manifest.UNKNOWN_SIZE), 0, 1).refusal())
                .isNotNull();

        driver.append(new RelayRecord.Settled(key(1), "one"));

        await().until(() -> admit(2, 1) == null);
        assertThat(store.admitFragment(manifest(3, Manifest.UNKNOWN_SIZE), 0, 1).refusal())
                .isNull();
    }

    @Test
    void fragmentsOfUnknownSizeAreCountedFromTheMomentTheyAreAppended() {
        assertThat(store.admit(manifest(1, Manifest.UNKNOWN_SIZE), () -> false).refusal())
                .isNull();
        driver.append(new RelayRecord.Opened(manifest(1, Manifest.UNKNOWN_SIZE)));
        for (int i = 0; i < 10; i++) {
            // Between the index's number and its sums the fragment before may count twice, never not at all.
            await().until(() -> store.admitFragment(manifest(1, Manifest.UNKNOWN_SIZE), 0, FRAGMENT_BYTES)
                    .isYes());
            driver.fragment(1, i, FRAGMENT_BYTES);
        }
        assertThat(store.admitFragment(manifest(1, Manifest.UNKNOWN_SIZE), 0, FRAGMENT_BYTES)
                        .refusal())
                .isNotNull();
    }

    @Test
    void aFullDiskRefusesPayloadAndStillTakesSmallRecords() {
        assertThat(admit(1, FRAGMENT_BYTES)).isNull();
        driver.subscribe("one", StartAt.NOW, true);
        driver.put(1, FRAGMENT_BYTES, "one");

        usableBytes.set(HEAD_ROOM_BYTES + 10);
        // The disk is asked now and then; what was admitted before it was asked stays admitted, so each attempt is a
        // new one.
        AtomicLong number = new AtomicLong(2);
        await().until(() -> admit(number.getAndIncrement(), 11) != null);
        assertThat(Objects.requireNonNull(admit(number.get(), 11)).detail()).contains("disk", "head-room");
        driver.finish(key(1), "one");

        usableBytes.set(1L << 40);
        await().until(() -> admit(number.get(), FRAGMENT_BYTES) == null);
    }

    private static final Identity BERLIN = new Identity("CN=berlin,OU=agent-a", "agent-a", "berlin", null, null);

    private final Map<NodeId, Identity> nodes = new ConcurrentHashMap<>(Map.of(StoreDriver.PUBLISHER, BERLIN));

    private void charge(long bytes, long transfers) {
        Quota quota = new Quota("agent-a:berlin", bytes, transfers, List.of("site-b"));
        store.charge(new QuotaResolver(List.of(quota), node -> nodes.getOrDefault(node, Identity.UNKNOWN)));
    }

    private void awaitUse(long usedBytes, long reservedBytes, long transfers) {
        await().untilAsserted(() -> assertThat(store.quotaUses())
                .singleElement()
                .isEqualTo(new QuotaUse(store.quotaUses().get(0).quota(), usedBytes, reservedBytes, transfers)));
    }

    @Test
    void aTenantsUseIsGivenBackAndIsTheSameAfterARestartAndWithoutAnIndex() throws Exception {
        charge(4L * FRAGMENT_BYTES, 3);
        driver.subscribe("one", StartAt.NOW, true);
        driver.put(1, 2L * FRAGMENT_BYTES, "one");
        driver.append(new RelayRecord.Opened(manifest(2, FRAGMENT_BYTES)));
        driver.append(new RelayRecord.Opened(manifest(3, Manifest.UNKNOWN_SIZE)));
        driver.fragment(3, 0, FRAGMENT_BYTES / 2);
        long used = 2L * FRAGMENT_BYTES + FRAGMENT_BYTES / 2;
        awaitUse(used, FRAGMENT_BYTES, 3);
        assertThat(Objects.requireNonNull(admit(9, 1)).detail()).contains("3 transfers are there");
        assertThat(Objects.requireNonNull(admit(9, FRAGMENT_BYTES)).detail())
                .contains("the quota of agent-a:berlin on site-b");

        reopen();
        assertThat(admit(9, FRAGMENT_BYTES)).as("before it is told of tenants").isNull();
        charge(4L * FRAGMENT_BYTES, 3);
        awaitUse(used, FRAGMENT_BYTES, 3);

        reopenWithoutIndex();
        charge(8L * FRAGMENT_BYTES, 4);
        awaitUse(used, FRAGMENT_BYTES, 3);

        driver.append(new RelayRecord.Settled(key(1), "one"));
        driver.append(new RelayRecord.Cancelled(key(2), "not wanted"));
        awaitUse(FRAGMENT_BYTES / 2, 0, 1);
        driver.append(new RelayRecord.Forgotten(key(3), "another waits for room"));
        awaitUse(0, 0, 0);
    }

    @Test
    void whatIsKeptOfANodeIsChargedWhenItIsKnownWhoItIs() {
        nodes.clear();
        charge(Quota.NO_LIMIT - 1, Quota.NO_LIMIT);
        driver.put(1, FRAGMENT_BYTES);
        awaitUse(0, 0, 0);

        nodes.put(StoreDriver.PUBLISHER, BERLIN);
        store.chargeAgain(StoreDriver.PUBLISHER);
        awaitUse(FRAGMENT_BYTES, 0, 1);
    }
}
