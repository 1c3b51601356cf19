package io.hawser.store.landing;

import static io.hawser.store.landing.LandingRig.bytes;
import static io.hawser.store.landing.LandingRig.file;
import static io.hawser.store.landing.LandingRig.key;
import static io.hawser.store.landing.LandingRig.ok;
import static io.hawser.store.landing.LandingRig.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.runtime.CrashPoints;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.CrashStorage;
import io.hawser.store.testkit.PlainTarget;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DeadLettersTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path directory;

    @SuppressWarnings("NullAway.Init") // see open
    private LandingRig rig;

    private final FarTarget target = new FarTarget();

    /** Takes nothing while it is down. */
    private static final class FarTarget extends PlainTarget {
        final List<String> delivered = Collections.synchronizedList(new ArrayList<>());
        final List<String> abandoned = Collections.synchronizedList(new ArrayList<>());
        volatile boolean down = true;
        volatile boolean silent;
        volatile boolean refusing;
        final List<VerifiedObject> kept = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void deliver(List<VerifiedObject> objects, Consumer<DeliveryOutcome> results) {
            for (VerifiedObject object : objects) {
                if (silent) {
                    kept.add(object);
                } else if (refusing) {
                    results.accept(new DeliveryOutcome.Refused(object, "a directory stands there"));
                } else if (down) {
                    results.accept(new DeliveryOutcome.Later(object, "the far server is down"));
                } else {
                    delivered.add(
                            object.manifest().name() + " " + object.manifest().number());
                    results.accept(new DeliveryOutcome.Delivered(object));
                }
            }
        }

        @Override
        public void abandon(VerifiedObject object) {
            abandoned.add(object.manifest().name());
        }
    }

    @BeforeEach
    void open() throws StorageException {
        LandingOptions options = LandingOptions.in(directory, "sub").withDeliveryDeadline(Duration.ZERO);
        rig = new LandingRig(new DiskStorage(), options, target, CrashPoints.NONE);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private List<DeadLetter> letters() {
        return rig.onLoop(() -> rig.area.deadLetters());
    }

    private void park(long number, String name) {
        int before = letters().size();
        ok(rig.small(file(number, name, 5), bytes(number, 5)));
        await().until(() -> letters().size() == before + 1);
    }

    private Path landingFile(long number) {
        return directory.resolve("files/" + key(number) + ".part");
    }

    @Test
    void whatIsGivenUpStaysOverARestartUntilTheOperatorHasItTriedAgain() throws StorageException {
        park(1, "a");
        assertThat(letters().get(0).reason()).contains("down");
        await().untilAsserted(() -> assertThat(rig.landed).last().satisfies(DeadLettersTest::isDead));
        rig.close();
        target.down = false;
        open();

        assertThat(letters()).hasSize(1);
        assertThat(rig.onLoop(() -> rig.area.pendingReceipts())).singleElement().satisfies(DeadLettersTest::isDead);
        assertThat(target.delivered).isEmpty();
        assertThat(rig.receipts).isEmpty();
        ok(rig.retryDead(key(1)));

        rig.awaitReceipts(1);
        assertThat(rig.receipts.get(0).status()).isEqualTo(ReceiptStatus.DELIVERED);
        assertThat(target.delivered).containsExactly("a 1");
        assertThat(letters()).isEmpty();
        await().until(() -> !Files.exists(landingFile(1)));
    }

    private static void isDead(Receipt told) {
        assertThat(told.status()).isEqualTo(ReceiptStatus.DEAD);
        assertThat(told.reason()).startsWith("the far server");
    }

    /** A publisher that was told of a dead letter hears that it is none any more. */
    @Test
    void oneThatIsTriedAgainIsAnnouncedAsLanded() {
        park(1, "a");
        target.silent = true;
        ok(rig.retryDead(key(1)));

        await().untilAsserted(() ->
                assertThat(rig.landed).last().extracting(Receipt::status).isEqualTo(ReceiptStatus.LANDED));
    }

    @Test
    void aDroppedOneFailsOnceAndItsBytesAreSetAside() {
        park(1, "a");

        ok(rig.dropDead(key(1)));
        assertThat(refused(rig.dropDead(key(1))).code()).isEqualTo(ErrorCode.NOT_FOUND);

        rig.awaitReceipts(1);
        assertThat(rig.receipts.get(0).status()).isEqualTo(ReceiptStatus.FAILED);
        assertThat(rig.receipts.get(0).reason()).contains("operator").contains("down");
        await().until(() -> Files.exists(directory.resolve("files/" + key(1) + ".failed")));
        await().until(() -> target.abandoned.equals(List.of("a")));
    }

    @Test
    void aLaterTransferOfThePathIsDeliveredAndTheDeadOneSaysSoAlsoAfterARestart() throws StorageException {
        park(1, "d/a");
        park(2, "d/b");
        target.down = false;

        ok(rig.small(file(3, "d/a", 5), bytes(3, 5)));
        rig.awaitReceipts(1);
        rig.close();
        open();

        assertThat(target.delivered).containsExactly("d/a 3");
        assertThat(letters()).extracting(DeadLetter::name).containsExactly("d/a", "d/b");
        assertThat(letters().get(0).overtakenBy()).isEqualTo(key(3).toString());
        assertThat(letters().get(1).wasOvertaken()).isFalse();
    }

    /** It is not lost: before, its publisher was told FAILED at once, and the bytes went after a week. */
    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void whatTheTargetRefusesIsADeadLetterAtOnceAndHoldsUpNothing() throws StorageException {
        rig.close();
        rig = new LandingRig(new DiskStorage(), LandingOptions.in(directory, "sub"), target, CrashPoints.NONE);
        target.refusing = true;
        park(1, "a");
        assertThat(letters().get(0).reason()).isEqualTo("a directory stands there");
        await().untilAsserted(() ->
                assertThat(rig.landed).last().extracting(Receipt::status).isEqualTo(ReceiptStatus.DEAD));
        assertThat(rig.receipts).isEmpty();

        target.refusing = false;
        target.down = false;
        ok(rig.small(file(2, "a", 5), bytes(2, 5)));
        rig.awaitReceipts(1);
        assertThat(target.delivered).containsExactly("a 2");

        ok(rig.dropDead(key(1)));
        rig.awaitReceipts(2);
        assertThat(rig.receipts.get(1).status()).isEqualTo(ReceiptStatus.FAILED);
        assertThat(rig.receipts.get(1).reason()).contains("a directory stands there");
    }

    /** A FAILED receipt that was acked is remembered as long as a DELIVERED one. */
    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void oneThatFailedIsStillKnownToHaveFailedAfterItsReceiptWasAckedAndARestart() throws StorageException {
        park(1, "a");
        ok(rig.dropDead(key(1)));
        rig.awaitReceipts(1);
        rig.onLoop(() -> {
            rig.area.receiptAcked(key(1), "sub", ReceiptStatus.FAILED);
            return "";
        });
        rig.close();
        open();

        assertThat(rig.onLoop(() -> rig.area.pendingReceipts())).isEmpty();
        ok(rig.lookup(key(1)));
        rig.awaitReceipts(1);
        assertThat(rig.receipts.get(0).status()).isEqualTo(ReceiptStatus.FAILED);
        assertThat(target.delivered).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Invariant(InvariantName.HONEST_ANSWERS)
    void nothingIsDoneThatTheJournalDoesNotTake(boolean drops, @TempDir Path graveyard) throws StorageException {
        park(1, "a");
        park(2, "b");
        rig.close();
        CrashStorage storage = new CrashStorage(new DiskStorage(), graveyard);
        rig = new LandingRig(storage, LandingOptions.in(directory, "sub"), target, CrashPoints.NONE);
        storage.failCalls(call -> new StorageException("Input/output error"));

        for (long number = 1; number <= 2; number++) {
            TransferKey key = key(number);
            Refusal refusal = refused(drops ? rig.dropDead(key) : rig.retryDead(key));
            assertThat(refusal.code()).isEqualTo(ErrorCode.STORAGE_FAILED);
            assertThat(refusal.detail()).contains("Input/output error").contains("hawser dead list");
        }
        rig.close();
        open();
        assertThat(letters()).extracting(DeadLetter::name).containsExactly("a", "b");
    }

    @Test
    void aTransferThatIsOfferedAgainIsKnownToBeCommitted() {
        park(1, "a");

        assertThat(ok(rig.small(file(1, "a", 5), bytes(1, 5)))).containsExactly("sub");
        assertThat(letters()).hasSize(1);
    }
}
