package io.hawser.store.spool;

import static io.hawser.store.spool.SpoolFixture.FRAGMENT;
import static io.hawser.store.spool.SpoolFixture.TOPIC;
import static io.hawser.store.spool.SpoolFixture.bytes;
import static io.hawser.store.spool.SpoolFixture.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiskSpoolTest extends OnOneSpool {
    static TransferDigest digest(byte[] bytes) {
        TreeDigest.Builder tree = new TreeDigest.Builder();
        for (int at = 0; at < bytes.length; at += FRAGMENT) {
            tree.add(TreeDigest.leaf(ByteBuffer.wrap(bytes, at, Math.min(FRAGMENT, bytes.length - at))));
        }
        return tree.root(bytes.length, FRAGMENT);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0,
                1,
                FRAGMENT - 1,
                FRAGMENT,
                FRAGMENT + 1,
                (64 << 10) - 1,
                64 << 10,
                (64 << 10) + 1,
                3 * FRAGMENT,
                10 * FRAGMENT + 4097
            })
    void anUploadIsAnnouncedWholeAndSurvivesARestart(int size) throws Exception {
        byte[] bytes = bytes(size, size);

        Commit commit = it.upload("in/f", bytes);

        TransferKey key = it.keyOf("in/f");
        assertThat(commit.digest()).isEqualTo(digest(bytes));
        assertThat(it.content(key)).isEqualTo(bytes);
        assertThat(it.state(key).phase()).isEqualTo(SpoolPhase.SPOOLED);
        reopen();
        assertThat(it.listener.of(key).commit).isEqualTo(commit);
        assertThat(it.listener.events).containsExactly("pending again in/f");
        assertThat(it.content(key)).isEqualTo(bytes);
    }

    @Test
    void anObjectWithTooManyBytesOrFragmentsIsRefused() throws Exception {
        UploadRequest request = request("huge").withSize(Manifest.MAX_SIZE_BYTES + 1);
        assertThat(Answer.code(it.onLoop(() -> it.spool.begin(request)))).isEqualTo(ErrorCode.TOO_LARGE);
    }

    @Test
    void smallSendsAreAnnouncedInTheirOrderAndReadable() throws Exception {
        List<Answer<Commit>> sent = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            sent.add(it.sendSmall("m/" + i, bytes(i * 13 % 5000, i)));
        }
        sent.forEach(done -> assertThat(done.outcome().isRefused()).isFalse());

        assertThat(it.listener.events).hasSize(500);
        assertThat(it.listener.events.get(499)).isEqualTo("small m/499");
        reopen();
        assertThat(it.listener.events.get(0)).isEqualTo("pending again m/0");
        assertThat(it.content(it.keyOf("m/77"))).isEqualTo(bytes(77 * 13 % 5000, 77));
    }

    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void whatTheSenderKeepsDoesNotHoldBackWhatIsAccepted() {
        it.run(() -> it.listener.keeps = true);
        List<Answer<Commit>> sent = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            sent.add(it.sendSmall("m/" + i, bytes(60_000, i)));
        }

        sent.forEach(Answer::value);

        assertThat(it.listener.events).contains("small m/0").anyMatch(event -> event.startsWith("pending"));
        long keptBytes = it.onLoop(
                () -> it.listener.kept.stream().mapToLong(Fragment::length).sum());
        assertThat(keptBytes).isLessThan(7 << 20);
        assertThat(it.content(it.keyOf("m/299"))).isEqualTo(bytes(60_000, 299));
        it.run(() -> it.listener.kept.forEach(fragment -> fragment.buffer().release()));
    }

    @Test
    void loadedSmallTransfersShareMemory() throws Exception {
        for (int i = 0; i < 50; i++) {
            it.sendSmall("m/" + i, bytes(4000, i)).value();
        }
        reopen();
        List<Answer<Fragment>> loaded = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            TransferKey key = it.keyOf("m/" + i);
            Answer<Fragment> answer = new Answer<>();
            it.run(() -> it.spool.load(key, 0, answer));
            loaded.add(answer);
        }

        loaded.forEach(Answer::value);

        await().until(() -> it.pool.available() == it.pool.capacity());
        loaded.forEach(answer -> answer.value().buffer().release());
    }

    @Test
    void fragmentsMayComeInAnyOrder() {
        byte[] bytes = bytes(5 * FRAGMENT + 9, 1);
        Upload upload = it.begin(request("f"));
        for (int index : new int[] {3, 5, 0, 4, 2, 1}) {
            it.writeOne(upload, bytes, index);
        }

        Commit commit = it.finish(upload, bytes.length).get();

        assertThat(commit.digest()).isEqualTo(digest(bytes));
        assertThat(it.content(upload.key())).isEqualTo(bytes);
    }

    @Test
    void aTailIsNotAvailableBeforeTheCommit() {
        byte[] bytes = bytes(2 * FRAGMENT + 100, 1);
        Upload upload = it.begin(request("f").withSize(bytes.length));

        it.write(upload, bytes, 0)
                .forEach(written -> assertThat(written.outcome().isRefused()).isFalse());

        await().untilAsserted(() -> assertThat(
                        it.onLoop(() -> it.listener.of(upload.key()).available.count()))
                .isEqualTo(2));
        assertThat(it.onLoop(() -> it.listener.of(upload.key()).available.contains(2)))
                .isFalse();
        it.finish(upload, bytes.length).get();
        assertThat(it.onLoop(() -> it.listener.of(upload.key()).available.contains(2)))
                .isTrue();
    }

    @Test
    void nothingOfASmallUploadIsInTheJournalBeforeItsEnd() {
        Upload upload = it.begin(request("f"));
        it.writeOne(upload, bytes(1000, 1), 0);

        assertThat(it.listener.events).isEmpty();
        it.finish(upload, 1000).get();
        assertThat(it.listener.events).containsExactly("small f");
    }

    @Test
    void aNewerTransferOfThePathIsAnnouncedBehindTheOlder() {
        Upload older = it.begin(request("dir"));
        it.writeOne(older, bytes(10, 1), 0);

        it.sendSmall("dir/newer", bytes(20, 2)).value();

        assertThat(it.listener.events).containsExactly("pending dir", "small dir/newer");
        assertThat(it.finish(older, 10).isRefused()).isFalse();
        assertThat(it.content(older.key())).isEqualTo(bytes(10, 1));
    }

    /** A patch that still comes in was not found once, and two were made of one base. */
    @Test
    void uploadsThatComeInAreFoundByTheirNameUntilTheyEnd() {
        Upload file = it.begin(request("f"));
        Upload patch = it.begin(
                request(TransferKind.PATCH, "f", FRAGMENT, Map.of(Attributes.BASE_SIZE, "0", Attributes.OFFSET, "0")));
        it.begin(request("f/below"));
        assertThat(comingIn("f")).containsExactlyInAnyOrder(file.key(), patch.key());

        it.finish(file, 0).get();
        assertThat(comingIn("f")).containsExactly(patch.key());
        it.run(() -> patch.cancel("no more"));
        assertThat(comingIn("f")).isEmpty();
    }

    private List<TransferKey> comingIn(String name) {
        return it.onLoop(() -> it.spool.comingIn(TOPIC, name)).stream()
                .map(TransferSnapshot::key)
                .toList();
    }

    @Test
    void missingBytesAreRefusedAndNothingIsCommitted() {
        Upload upload = it.begin(request("f"));
        byte[] bytes = bytes(3 * FRAGMENT, 1);
        it.writeOne(upload, bytes, 0);
        it.writeOne(upload, bytes, 2);
        await().until(() -> it.listener.events.contains("pending f"));

        Outcome<Commit> outcome = it.finish(upload, bytes.length);

        assertThat(Answer.code(outcome)).isEqualTo(ErrorCode.MALFORMED);
        it.awaitPhase(upload.key(), SpoolPhase.CANCELLED);
        await().until(() -> it.listener.events.contains("cancelled f"));
    }

    @Test
    void aSizeThatWasAnnouncedBinds() {
        Upload upload = it.begin(request("f").withSize(2 * FRAGMENT));
        byte[] bytes = bytes(3 * FRAGMENT, 1);

        assertThat(it.writeOne(upload, bytes, 2).code()).isEqualTo(ErrorCode.MALFORMED);
        it.writeOne(upload, bytes, 0);
        assertThat(it.finish(upload, FRAGMENT).isRefused()).isTrue();
    }

    @Test
    void oddNamesComeBackAsTheyWere() throws Exception {
        List<String> names = List.of(
                "-rf",
                " lead and milestones ",
                "Überraschung/日本.txt",
                "a\nb",
                "n".repeat(4096),
                "\uD83D\uDE00",
                "x\\y");
        for (String name : names) {
            it.upload(name, bytes(10, 1));
        }

        reopen();

        for (String name : names) {
            assertThat(it.content(it.keyOf(name))).isEqualTo(bytes(10, 1));
        }
    }

    @Test
    void namesThatCannotTravelAreRefused() {
        for (String name : List.of("a\0b", "\uD800", "n".repeat(4097), "ü".repeat(2049))) {
            Outcome<Upload> outcome = it.onLoop(() -> it.spool.begin(request(name)));

            assertThat(Answer.code(outcome)).isEqualTo(ErrorCode.BAD_NAME);
        }
    }

    @Test
    void numbersAscendOverRestarts() throws Exception {
        it.upload("a", bytes(10, 1));
        it.upload("b", bytes(10, 1));
        long last = it.state(it.keyOf("b")).manifest().number();

        reopen();
        it.upload("c", bytes(10, 1));

        assertThat(it.state(it.keyOf("c")).manifest().number()).isGreaterThan(last);
    }

    @Test
    void contentIsFoundByNameWhileItIsKept() {
        it.upload("f", bytes(100, 1));
        it.upload("f", bytes(200, 2));

        assertThat(it.onLoop(() -> it.spool.find(TOPIC, "f")).orElseThrow().sizeBytes())
                .isEqualTo(200);
        assertThat(it.onLoop(() -> it.spool.find(TOPIC, "other"))).isEmpty();
    }
}
