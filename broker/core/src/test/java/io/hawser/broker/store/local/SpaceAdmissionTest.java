package io.hawser.broker.store.local;

import static io.hawser.broker.store.StoreDriver.FRAGMENT_BYTES;
import static io.hawser.broker.store.StoreDriver.key;
import static io.hawser.broker.store.StoreDriver.manifest;
import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.broker.store.QuotaResolver;
import io.hawser.broker.store.StoreDriver;
import io.hawser.core.access.Identity;
import io.hawser.core.access.Quota;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Manifest;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.space.SpaceAnswer;
import io.hawser.store.storage.StorageException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@Invariant(InvariantName.REFUSE_DONT_CORRUPT)
class SpaceAdmissionTest {
    private static final long QUOTA_BYTES = 1000L * FRAGMENT_BYTES;
    private static final long HEAD_ROOM_BYTES = 10_000;
    private static final long PROBE = 1_000_000;
    private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();

    private final FakeFigures figures = new FakeFigures();
    private final SpaceAdmission admission =
            new SpaceAdmission(new LocalStoreConfig.Space(QUOTA_BYTES, HEAD_ROOM_BYTES), figures);
    private long nowNanos;

    private static final class FakeFigures implements SpaceAdmission.Figures {
        private long appliedSequence;
        private long keptBytes;
        private long reservedBytes;
        private long diskFreeBytes = Long.MAX_VALUE / 4;
        private long diskTotalBytes = Long.MAX_VALUE;
        private boolean diskFails;
        private int questionsToDisk;
        private int pressed;
        private TenantUsage sums = new TenantUsage(QuotaResolver.NONE);

        @Override
        public SpaceAdmission.Counted counted() {
            return new SpaceAdmission.Counted(appliedSequence, keptBytes, reservedBytes);
        }

        @Override
        public TenantUsage tenants() {
            return sums;
        }

        /** All that is kept is on the disk. */
        @Override
        public SpaceAdmission.Disk disk() throws StorageException {
            questionsToDisk++;
            if (diskFails) {
                throw new StorageException("the disk does not answer");
            }
            return new SpaceAdmission.Disk(diskFreeBytes, diskFreeBytes + keptBytes, diskTotalBytes);
        }

        @Override
        public void pressed() {
            pressed++;
        }
    }

    private @Nullable ErrorCode admit(long number, long sizeBytes) {
        return code(admission.admit(manifest(number, sizeBytes), () -> false, nowNanos));
    }

    private static @Nullable ErrorCode code(SpaceAnswer answer) {
        Refusal refusal = answer.refusal();
        return refusal == null ? null : refusal.code();
    }

    /** Whether just so many bytes are free; leaves no trace. */
    private void assertFree(long bytes) {
        assertThat(admit(PROBE, bytes + 1)).isNotNull();
        assertThat(admit(PROBE, bytes)).isNull();
        admission.forget(key(PROBE));
    }

    @Test
    void whatWasAdmittedCountsUntilTheIndexHasSeenIt() {
        assertThat(admit(1, 100)).isNull();
        admission.onOpened(key(1), 5);

        figures.appliedSequence = 4;
        assertFree(QUOTA_BYTES - 100);
        figures.appliedSequence = 5;
        figures.reservedBytes = 100;
        assertFree(QUOTA_BYTES - 100);
    }

    @Test
    void whatIsAskedForTwiceCountsOnce() {
        assertThat(admit(1, QUOTA_BYTES)).isNull();
        assertThat(admit(1, QUOTA_BYTES)).isNull();

        admission.forget(key(1));
        assertFree(QUOTA_BYTES);
    }

    @Test
    void aLargeOneThatMustWaitHoldsUpNoSmallOneAndFitsWhenSpaceReturns() {
        figures.keptBytes = QUOTA_BYTES - 100;
        assertThat(admit(1, 500)).isEqualTo(ErrorCode.NO_SPACE);
        assertThat(figures.pressed).isEqualTo(1);

        assertThat(admit(2, 100)).isNull();
        admission.forget(key(2));
        figures.keptBytes = 0;
        assertThat(admit(1, 500)).isNull();
    }

    @Test
    void openedOnesAreForgottenAsFarAsTheIndexHasCome() {
        for (int number = 1; number <= 3; number++) {
            assertThat(admit(number, 100)).isNull();
        }
        admission.onOpened(key(3), 1);
        admission.onOpened(key(1), 2);
        admission.onOpened(key(2), 3);

        figures.appliedSequence = 1;
        assertFree(QUOTA_BYTES - 200);
        figures.appliedSequence = 2;
        assertFree(QUOTA_BYTES - 100);
        figures.appliedSequence = 3;
        assertFree(QUOTA_BYTES);
    }

    @Test
    void openingAgainDoesNotCountAsNew() {
        assertThat(admit(1, 100)).isNull();
        admission.onOpened(key(1), 1);
        admission.onOpened(key(1), 9);

        figures.appliedSequence = 1;
        assertFree(QUOTA_BYTES);
    }

    @Test
    void whatNeverCameIsForgottenAfterAMinute() {
        assertThat(admit(1, 100)).isNull();
        nowNanos = MINUTE_NANOS;
        assertFree(QUOTA_BYTES - 100);

        nowNanos++;
        assertFree(QUOTA_BYTES);
    }

    @Test
    void whatNeverCameIsForgottenAlsoBehindOneThatCame() {
        assertThat(admit(1, 100)).isNull();
        assertThat(admit(2, 50)).isNull();
        admission.onOpened(key(1), 1);
        nowNanos = MINUTE_NANOS + 1;
        assertFree(QUOTA_BYTES - 150);

        figures.appliedSequence = 1;
        assertFree(QUOTA_BYTES);
    }

    @Test
    void whatIsOpenedCountsHoweverLongTheIndexTakes() {
        assertThat(admit(1, 100)).isNull();
        admission.onOpened(key(1), 1);

        nowNanos = 10 * MINUTE_NANOS;
        assertFree(QUOTA_BYTES - 100);
    }

    @Test
    void fragmentsOfUnknownSizeCountUntilTheIndexHasSeenThem() {
        assertThat(admit(1, Manifest.UNKNOWN_SIZE)).isNull();
        assertFree(QUOTA_BYTES); // nothing is promised to it

        SpaceAdmission.Pending first = admission.onFragment(key(1), 100, nowNanos);
        SpaceAdmission.Pending second = admission.onFragment(key(1), 50, nowNanos);
        assertFree(QUOTA_BYTES - 150);
        admission.onFragmentDurable(first, 7);
        admission.onFragmentDurable(second, 8);
        figures.appliedSequence = 7;
        assertFree(QUOTA_BYTES - 50);
        figures.appliedSequence = 8;
        assertFree(QUOTA_BYTES);
    }

    @Test
    void fragmentsOfKnownSizeArePromisedAlready() {
        assertThat(admit(1, 100)).isNull();
        assertThat(admission.admitFragment(manifest(1, 100), 0, 200, nowNanos)) // it waited for others
                .isEqualTo(SpaceAnswer.yes());

        assertThat(admission.onFragment(key(1), 100, nowNanos)).isNull();
        assertFree(QUOTA_BYTES - 100);
    }

    @Test
    void theNextFragmentOfUnknownSizeIsRefusedWhenItDoesNotFit() {
        figures.keptBytes = QUOTA_BYTES - 100;

        assertThat(admission.admitFragment(manifest(1, Manifest.UNKNOWN_SIZE), 0, 100, nowNanos))
                .isEqualTo(SpaceAnswer.yes());
        assertThat(admission.admitFragment(manifest(1, Manifest.UNKNOWN_SIZE), 0, 101, nowNanos))
                .isInstanceOf(SpaceAnswer.Wait.class);
    }

    @Test
    void theDiskIsAskedNowAndThenAndWhatIsWrittenMeanwhileCounts() {
        figures.diskFreeBytes = HEAD_ROOM_BYTES + 100;
        assertThat(admit(1, 40)).isNull();
        var unused = admission.onFragment(key(1), 40, nowNanos);
        admission.forget(key(1));
        assertFree(60);
        assertThat(figures.questionsToDisk).isEqualTo(1);

        figures.diskFreeBytes = HEAD_ROOM_BYTES + 500;
        nowNanos = Duration.ofMillis(500).toNanos();
        assertFree(500);
        assertThat(figures.questionsToDisk).isEqualTo(2);
    }

    @Test
    void aDiskThatDoesNotAnswerTakesNothing() {
        figures.diskFails = true;

        assertThat(admit(1, 1)).isEqualTo(ErrorCode.NO_SPACE);
    }

    private SpaceAdmission withoutQuota(long headRoomBytes) {
        return new SpaceAdmission(new LocalStoreConfig.Space(LocalStoreConfig.NO_QUOTA, headRoomBytes), figures);
    }

    @Test
    void whatTheDiskCanNeverHoldIsRefusedForGood() {
        figures.diskTotalBytes = 100L << 30;
        figures.diskFreeBytes = 10L << 30;
        SpaceAdmission some = withoutQuota(1L << 30);

        Refusal never = Objects.requireNonNull(
                some.admit(manifest(1, 1L << 50), () -> false, nowNanos).refusal());
        assertThat(never.code()).isEqualTo(ErrorCode.TOO_LARGE);
        assertThat(never.detail())
                .contains("1,125,899,906,842,624 bytes", "the broker's disk can hold 106,300,440,576 bytes in all");
        assertThat(code(some.admit(manifest(2, (99L << 30) + 1), () -> false, nowNanos)))
                .isEqualTo(ErrorCode.TOO_LARGE);
        assertThat(code(some.admit(manifest(3, 99L << 30), () -> false, nowNanos)))
                .isEqualTo(ErrorCode.NO_SPACE);
        assertThat(code(some.admitFragment(manifest(4, Manifest.UNKNOWN_SIZE), 99L << 30, 1, nowNanos)))
                .isEqualTo(ErrorCode.TOO_LARGE);
        assertThat(some.admit(manifest(5, 9L << 30), () -> false, nowNanos)).isEqualTo(SpaceAnswer.yes());
    }

    @Test
    void whatFitsAloneIsWhatTheDiskWouldTakeWithoutTheStore() {
        figures.diskTotalBytes = 100L << 30;
        figures.diskFreeBytes = 10L << 30;
        figures.keptBytes = 5L << 30;
        figures.sums = sums(quota(20L << 30, Quota.NO_LIMIT));
        SpaceAdmission some = withoutQuota(1L << 30);

        assertThat(some.fitsAlone(manifest(1, 14L << 30), nowNanos)).isTrue();
        assertThat(some.fitsAlone(manifest(2, (14L << 30) + 1), nowNanos)).isFalse();
        assertThat(some.fitsAlone(manifest(3, Manifest.UNKNOWN_SIZE), nowNanos)).isTrue();
        assertThat(some.fitsAlone(manifest(4, 0), nowNanos)).isTrue();
        figures.sums = sums(quota(1L << 30, Quota.NO_LIMIT));
        assertThat(some.fitsAlone(manifest(1, 14L << 30), nowNanos)).isFalse();
    }

    @Test
    void sizesNearTheLargestNumberDoNotSwitchOffTheCheckOfTheDisk() {
        figures.diskFreeBytes = 10L << 30;
        SpaceAdmission some = withoutQuota(1L << 30);
        assertThat(some.admit(manifest(1, 1 << 20), () -> false, nowNanos)).isEqualTo(SpaceAnswer.yes());
        assertThat(code(some.admit(manifest(2, Long.MAX_VALUE), () -> false, nowNanos)))
                .as("more than any disk can hold without its head-room")
                .isEqualTo(ErrorCode.TOO_LARGE);
        assertThat(code(some.admit(manifest(3, Long.MAX_VALUE - (1L << 30)), () -> false, nowNanos)))
                .as("a disk of unknown size")
                .isEqualTo(ErrorCode.NO_SPACE);

        figures.diskFreeBytes = 0;
        nowNanos = MINUTE_NANOS / 2;
        assertThat(code(some.admit(manifest(4, 1L << 30), () -> false, nowNanos)))
                .isEqualTo(ErrorCode.NO_SPACE);
        assertThat(code(some.admit(manifest(5, 1), () -> false, nowNanos))).isEqualTo(ErrorCode.NO_SPACE);
        assertThat(code(some.admitFragment(manifest(6, Manifest.UNKNOWN_SIZE), 0, 1 << 20, nowNanos)))
                .isEqualTo(ErrorCode.NO_SPACE);
    }

    @Test
    void sizesNearTheLargestNumberDoNotSwitchOffATenantsQuota() {
        figures.diskFreeBytes = Long.MAX_VALUE;
        figures.sums = sums(quota(Long.MAX_VALUE - 1, Quota.NO_LIMIT));
        SpaceAdmission some = withoutQuota(0);
        assertThat(some.admit(manifest(1, 100), () -> false, nowNanos)).isEqualTo(SpaceAnswer.yes());
        figures.diskFreeBytes = Long.MAX_VALUE;
        figures.appliedSequence = 1;
        some.forget(key(1));
        figures.sums.add(new IndexedTransfer(manifest(1, 100), 1), 100, 0, 1);

        assertThat(code(some.admit(manifest(2, Long.MAX_VALUE - 1), () -> false, nowNanos)))
                .isEqualTo(ErrorCode.NO_SPACE);
    }

    private static Quota quota(long bytes, long transfers) {
        return new Quota("agent-a:berlin", bytes, transfers, List.of("site-*", transfers + ""));
    }

    private static TenantUsage sums(Quota... quotas) {
        Identity berlin = new Identity("CN=berlin,OU=agent-a", "agent-a", "berlin", null, null);
        return new TenantUsage(new QuotaResolver(
                List.of(quotas), node -> node.equals(StoreDriver.PUBLISHER) ? berlin : Identity.UNKNOWN));
    }

    private String space(long number, long sizeBytes) {
        SpaceAnswer answer = admission.admit(manifest(number, sizeBytes), () -> false, nowNanos);
        return answer instanceof SpaceAnswer.Wait wait ? wait.space() : "";
    }

    private Refusal lack(long number, long sizeBytes) {
        return Objects.requireNonNull(admission
                .admit(manifest(number, sizeBytes), () -> false, nowNanos)
                .refusal());
    }

    @Test
    void aTenantsQuotaHoldsBackWhatFitsLaterAndRefusesWhatNeverFitsAndSaysWhose() {
        figures.sums = sums(quota(1000, Quota.NO_LIMIT));

        assertThat(admit(1, 600)).isNull();
        Refusal later = lack(2, 401);
        assertThat(later.code()).isEqualTo(ErrorCode.NO_SPACE);
        assertThat(space(2, 401)).startsWith("agent-a:berlin on site-*");
        assertThat(later.detail())
                .contains("the quota of agent-a:berlin on site-*", "1,000 bytes", "600 bytes are taken", "by itself");
        assertThat(admit(3, 400)).isNull();
        Refusal never = lack(4, 1001);
        assertThat(never.code()).isEqualTo(ErrorCode.TOO_LARGE);
        assertThat(never.detail()).contains("the quota of agent-a:berlin on site-*");
        Manifest unknown = manifest(5, Manifest.UNKNOWN_SIZE);
        assertThat(Objects.requireNonNull(admission.admitFragment(unknown, 900, 101, nowNanos))
                        .refusal()
                        .code())
                .isEqualTo(ErrorCode.TOO_LARGE);
    }

    @Test
    void whatIsLetInForATenantCountsOnceAlsoWhenItsQuotaChanges() {
        figures.sums = sums(quota(1000, Quota.NO_LIMIT));
        assertThat(admit(1, 600)).isNull();
        admission.onOpened(key(1), 1);

        figures.sums = sums(quota(1200, Quota.NO_LIMIT));
        assertThat(space(2, 601)).isNotEmpty();
        figures.appliedSequence = 1;
        IndexedTransfer state = new IndexedTransfer(manifest(1, 600), 1);
        figures.sums.add(state, 0, 600, 1);
        assertThat(space(2, 601)).isNotEmpty();
        assertThat(admit(2, 600)).isNull();
    }

    @Test
    void transfersOfATenantAreCountedAlsoSuchOfUnknownSizeAndWithoutBytes() {
        figures.sums = sums(quota(Quota.NO_LIMIT, 2));

        assertThat(admit(1, Manifest.UNKNOWN_SIZE)).isNull();
        assertThat(admit(2, 0)).isNull();
        Refusal third = lack(3, 0);
        assertThat(third.code()).isEqualTo(ErrorCode.NO_SPACE);
        assertThat(third.detail()).contains("2 transfers", "2 transfers are there");
        assertThat(admission.admit(manifest(3, 5), () -> true, nowNanos))
                .as("what is there waits for it")
                .isEqualTo(SpaceAnswer.yes());

        admission.forget(key(1));
        admission.forget(key(2));
        assertThat(admit(4, 0)).isNull();
    }

    @Test
    void othersAreNotChargedToATenant() {
        figures.sums = sums(new Quota("agent-a:paris", 1, 1, List.of("*")), new Quota("*", 1, 1, List.of("site-c")));

        assertThat(admit(1, 600)).isNull();
        assertThat(admit(2, 600)).isNull();
        assertThat(admission.quotas(manifest(1, 600))).isEmpty();
    }

    /** In whatever order things are admitted, opened, dropped and seen: in the end nothing of them is left in the books. */
    @Test
    void theBooksAreEvenInTheEnd() {
        for (int seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            figures.sums = sums(quota(QUOTA_BYTES, Quota.NO_LIMIT));
            SpaceAdmission some = new SpaceAdmission(new LocalStoreConfig.Space(QUOTA_BYTES, 0), figures);
            List<Long> admitted = new ArrayList<>();
            Deque<SpaceAdmission.Pending> written = new ArrayDeque<>();
            long sequence = 0;
            figures.appliedSequence = 0;
            for (long number = 1; number <= 300; number++) {
                boolean known = random.nextBoolean();
                Manifest next = manifest(number, known ? random.nextInt(1000) : Manifest.UNKNOWN_SIZE);
                assertThat(some.admit(next, () -> false, nowNanos))
                        .as("seed %d", seed)
                        .isEqualTo(SpaceAnswer.yes());
                if (known) {
                    admitted.add(number);
                } else {
                    written.add(some.onFragment(key(number), random.nextInt(1000), nowNanos));
                }
                if (random.nextInt(3) == 0 && !written.isEmpty()) {
                    some.onFragmentDurable(written.remove(), ++sequence);
                }
                if (random.nextInt(3) == 0 && !admitted.isEmpty()) {
                    long settled = admitted.remove(random.nextInt(admitted.size()));
                    if (random.nextInt(4) == 0) {
                        some.forget(key(settled));
                    } else {
                        some.onOpened(key(settled), ++sequence);
                    }
                }
                figures.appliedSequence += random.nextLong(sequence - figures.appliedSequence + 1);
                if (random.nextInt(50) == 0) {
                    figures.sums =
                            sums(quota(QUOTA_BYTES, Quota.NO_LIMIT), quota(QUOTA_BYTES + number, Quota.NO_LIMIT));
                }
            }
            while (!written.isEmpty()) {
                some.onFragmentDurable(written.remove(), ++sequence);
            }
            for (long number : admitted) {
                some.onOpened(key(number), ++sequence);
            }
            figures.appliedSequence = sequence;

            assertThat(some.admit(manifest(PROBE, QUOTA_BYTES), () -> false, nowNanos))
                    .as("seed %d", seed)
                    .isEqualTo(SpaceAnswer.yes());
        }
    }
}
