package io.hawser.common.spool;

import static io.hawser.common.spool.SpoolFixture.FRAGMENT;
import static io.hawser.common.spool.SpoolFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.Outcome;
import io.hawser.common.hop.Refusal;
import io.hawser.common.model.Commit;
import io.hawser.common.model.Manifest;
import io.hawser.common.model.TransferKey;
import io.hawser.common.model.TransferKind;
import io.hawser.common.testkit.Damage;
import io.hawser.common.testkit.Invariant;
import io.hawser.common.testkit.InvariantName;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
            assertThat(fixture.state(key).refusal()).isEqualTo(refusal);
            assertThat(fixture.listener.of(key).cancelled).isNotNull();
            assertThat(fixture.onLoop(fixture.spool::usage).damaged()).isZero();
        }
        try (SpoolFixture fixture = open()) { // also in the next run it is not sent, after the newer one
            assertThat(fixture.state(key).phase()).isEqualTo(SpoolPhase.CANCELLED);
            assertThat(send(fixture, fixture.keyOf("a"), bytes(SIZE, 3))).isNull();
        }
    }

    @Test
    void aDeletionOfTheNameReplacesIt() throws Exception {
        TransferKey key = accept("a", 1);
        Damage.flip(content(key, ".data"), 7);
        try (SpoolFixture fixture = open()) {
            Answer<Commit> deleted = new Answer<>();
            UploadRequest delete = new UploadRequest(
                    SpoolFixture.TOPIC,
                    TransferKind.DELETE,
                    "a",
                    List.of("a"),
                    0,
                    Manifest.DEFAULT_FRAGMENT_SIZE_BYTES,
                    Map.of());
            fixture.run(() -> fixture.spool.sendSmall(delete, ByteBuffer.allocate(0), deleted));
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
