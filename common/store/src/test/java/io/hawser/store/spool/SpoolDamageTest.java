package io.hawser.store.spool;

import static io.hawser.store.spool.SpoolFixture.FRAGMENT;
import static io.hawser.store.spool.SpoolFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Damage;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A disk that changes accepted content: it is never sent, it is said, and what replaces it is not held up. */
@Invariant({InvariantName.VERIFIED_THIS_RUN, InvariantName.NO_SILENT_STOP})
final class SpoolDamageTest {
    private static final int SIZE = 3 * FRAGMENT + 100;

    @TempDir
    Path directory;

    private Path spool() {
        return directory.resolve("spool");
    }

    private Path content(TransferKey key, String ending) {
        return spool().resolve("data").resolve(key.id() + ending);
    }

    private SpoolFixture open() throws Exception {
        return new SpoolFixture(spool(), SpoolFixture.config()).started();
    }

    /** Sends nothing, as without a broker. */
    private TransferKey accept(String name, long seed) throws Exception {
        try (SpoolFixture fixture = open()) {
            fixture.upload(name, bytes(SIZE, seed));
            return fixture.keyOf(name);
        }
    }

    /** Loads all fragments as a sender does: the first refusal, or null if the bytes are right. */
    private static Refusal send(SpoolFixture fixture, TransferKey key, byte[] expected) {
        for (int index = 0; index * FRAGMENT < expected.length; index++) {
            Outcome<byte[]> loaded = fixture.load(key, index);
            Refusal refusal = loaded.refusal();
            if (refusal != null) {
                return refusal;
            }
            int from = index * FRAGMENT;
            assertThat(loaded.get())
                    .isEqualTo(
                            java.util.Arrays.copyOfRange(expected, from, Math.min(expected.length, from + FRAGMENT)));
        }
        return null;
    }

    /** What the next hop says later would hide what only a person can mend. */
    @Test
    void damageIsSaidAlsoWhenTheNextHopHasRefusedSince() throws Exception {
        TransferKey key = accept("a", 1);
        Damage.FLIP.apply(content(key, ".data"), content(key, ".data"), content(key, ".data"));

        try (SpoolFixture fixture = open()) {
            assertThat(send(fixture, key, bytes(SIZE, 1))).isNotNull();
            fixture.run(() -> fixture.spool.refused(key, new Refusal(ErrorCode.NO_SPACE, "the broker is full")));

            assertThat(fixture.state(key).refusal().detail()).contains("in the spool are damaged");
        }
    }

    @ParameterizedTest
    @CsvSource({
        ".data, FLIP", ".data, TRUNCATE", ".data, DELETE", ".data, SWAP", ".data, OLDER",
        ".leaves, FLIP", ".leaves, TRUNCATE", ".leaves, DELETE", ".leaves, SWAP", ".leaves, OLDER"
    })
    void damagedContentIsNotSentAndSaid(String ending, Damage damage) throws Exception {
        TransferKey key = accept("a", 1);
        TransferKey other = accept("b", 2);
        Path older = Files.write(directory.resolve("older"), new byte[SIZE]);

        damage.apply(content(key, ending), content(other, ending), older);

        try (SpoolFixture fixture = open()) {
            Refusal refusal = send(fixture, key, bytes(SIZE, 1));
            if (refusal == null) { // the bit is in none of the places that count
                assertThat(ending).isEqualTo(".leaves");
                return;
            }
            if (ending.equals(".data") && damage == Damage.DELETE) { // seen at the start: nothing is left to be sent
                assertThat(refusal.code()).isEqualTo(ErrorCode.NOT_FOUND);
                return;
            }
            assertThat(refusal.code()).isEqualTo(ErrorCode.STORAGE_FAILED);
            assertThat(refusal.detail())
                    .contains("Its bytes in the spool are damaged", "Upload it again, or delete it");
            assertThat(fixture.state(key).refusal()).isEqualTo(refusal);
            assertThat(fixture.onLoop(fixture.spool::usage).damaged()).isEqualTo(1);
        }
    }

    @Test
    void aNewerUploadOfTheNameReplacesIt() throws Exception {
        TransferKey key = accept("a", 1);
        Damage.flip(content(key, ".data"), FRAGMENT + 7);
        try (SpoolFixture fixture = open()) {
            assertThat(send(fixture, key, bytes(SIZE, 1)).code()).isEqualTo(ErrorCode.STORAGE_FAILED);

            fixture.upload("a", bytes(SIZE, 3));

            Refusal refusal = send(fixture, key, bytes(SIZE, 1));
            assertThat(refusal.code().retriable()).isFalse();
            assertThat(refusal.detail()).contains("damaged", "a newer upload has replaced it");
            fixture.awaitPhase(key, SpoolPhase.CANCELLED);
            assertThat(fixture.state(key).refusal().detail()).isEqualTo(refusal.detail());
            assertThat(fixture.listener.of(key).cancelled).isNotNull();
            assertThat(fixture.onLoop(fixture.spool::usage).damaged()).isZero();
        }
        try (SpoolFixture fixture = open()) { // also in the next run it is not sent, after the newer one
            assertThat(fixture.state(key).phase()).isEqualTo(SpoolPhase.CANCELLED);
            assertThat(send(fixture, fixture.keyOf("a"), bytes(SIZE, 3))).isNull();
        }
    }

    private static List<TransferSnapshot> failuresOf(SpoolFixture fixture) {
        List<TransferSnapshot> failures = new CopyOnWriteArrayList<>();
        fixture.run(() -> fixture.spool.onFailure((state, receipt) -> failures.add(state)));
        return failures;
    }

    private static void assertFailed(TransferSnapshot state, String reason) {
        assertThat(state.receipts()).singleElement().satisfies(receipt -> {
            assertThat(receipt.status()).isEqualTo(ReceiptStatus.FAILED);
            assertThat(receipt.subscription()).isEqualTo(Receipt.NOBODY);
            assertThat(receipt.reason()).contains(reason);
        });
    }

    /** It was accepted, so its publisher never gave it up: that is no cancel. */
    @Test
    void aDamagedUploadThatWasReplacedEndsAsFailed() throws Exception {
        TransferKey key = accept("a", 1);
        Damage.flip(content(key, ".data"), FRAGMENT + 7);
        try (SpoolFixture fixture = open()) {
            List<TransferSnapshot> failures = failuresOf(fixture);
            fixture.upload("a", bytes(SIZE, 3));
            send(fixture, key, bytes(SIZE, 1));
            fixture.awaitPhase(key, SpoolPhase.CANCELLED);
            assertThat(fixture.state(key).receipts())
                    .as("the next hop has not dropped it yet")
                    .isEmpty();

            fixture.run(() -> fixture.spool.cancelled(key));

            await().until(() -> failures.size() == 1);
            assertFailed(failures.get(0), "a newer upload has replaced it");
            assertFailed(fixture.state(key), "a newer upload has replaced it");
        }
    }

    /** Until its name is uploaded again or deleted it is told of, also in later runs. */
    @ParameterizedTest
    @CsvSource({"FILE", "DELETE"})
    void anUploadWhoseBytesAreGoneFailsAndIsToldOfUntilItIsReplaced(TransferKind by) throws Exception {
        TransferKey key = accept("a", 1);
        Files.delete(content(key, ".data"));
        for (int run = 1; run <= 2; run++) {
            try (SpoolFixture fixture = open()) {
                List<TransferSnapshot> failures = failuresOf(fixture);
                Refusal refusal = send(fixture, key, bytes(SIZE, 1));
                assertThat(refusal.code()).isEqualTo(ErrorCode.NOT_FOUND);
                fixture.run(() -> fixture.spool.refused(key, refusal)); // as the sender does, which cancels it then
                fixture.run(() -> fixture.spool.cancelled(key));

                int told = run == 1 ? 1 : 0;
                await().until(() -> fixture.state(key).phase() == SpoolPhase.REFUSED && failures.size() == told);
                assertFailed(fixture.state(key), "Its bytes are gone from the spool");
                assertThat(fixture.onLoop(fixture.spool::usage).damaged()).isEqualTo(1);
                if (run == 2) {
                    replace(fixture, by);
                    await().until(() -> fixture.onLoop(fixture.spool::usage).damaged() == 0);
                    assertFailed(fixture.state(key), "Its bytes are gone from the spool");
                }
            }
        }
        try (SpoolFixture fixture = open()) {
            assertThat(fixture.onLoop(() -> fixture.spool.state(key))).isEmpty();
        }
    }

    private static void replace(SpoolFixture fixture, TransferKind by) {
        if (by == TransferKind.FILE) {
            fixture.upload("a", bytes(SIZE, 3));
            return;
        }
        Answer<Commit> deleted = new Answer<>();
        fixture.run(() -> fixture.spool.sendSmall(SpoolFixture.delete("a"), ByteBuffer.allocate(0), deleted));
        assertThat(deleted.outcome().refusal()).isNull();
    }

    /** A cancel is a cancel. */
    @Test
    void anUploadThatItsPublisherCancelsHasNotFailed() throws Exception {
        TransferKey key = accept("a", 1);
        try (SpoolFixture fixture = open()) {
            List<TransferSnapshot> failures = failuresOf(fixture);
            fixture.run(() -> fixture.spool.cancel(key, "no longer wanted"));
            fixture.awaitPhase(key, SpoolPhase.CANCELLED);
            fixture.run(() -> fixture.spool.cancelled(key));

            assertThat(fixture.state(key).receipts()).isEmpty();
            assertThat(failures).isEmpty();
        }
    }

    @Test
    void aDeletionOfTheNameReplacesIt() throws Exception {
        TransferKey key = accept("a", 1);
        Damage.flip(content(key, ".data"), 7);
        try (SpoolFixture fixture = open()) {
            Answer<Commit> deleted = new Answer<>();
            fixture.run(() -> fixture.spool.sendSmall(SpoolFixture.delete("a"), ByteBuffer.allocate(0), deleted));
            assertThat(deleted.outcome().refusal()).isNull();

            Refusal refusal = send(fixture, key, bytes(SIZE, 1));

            assertThat(refusal.code().retriable()).isFalse();
            assertThat(refusal.detail()).contains("the name was deleted since");
            fixture.awaitPhase(key, SpoolPhase.CANCELLED);
        }
    }

    @Test
    void anotherNameReplacesNothing() throws Exception {
        TransferKey key = accept("a", 1);
        Damage.flip(content(key, ".data"), 7);
        try (SpoolFixture fixture = open()) {
            fixture.upload("b", bytes(SIZE, 3));

            assertThat(send(fixture, key, bytes(SIZE, 1)).code()).isEqualTo(ErrorCode.STORAGE_FAILED);
        }
    }
}
