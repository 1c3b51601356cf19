package io.hawser.store.landing;

import static io.hawser.store.landing.LandingRig.FRAGMENT_BYTES;
import static io.hawser.store.landing.LandingRig.bytes;
import static io.hawser.store.landing.LandingRig.commitOf;
import static io.hawser.store.landing.LandingRig.file;
import static io.hawser.store.landing.LandingRig.key;
import static io.hawser.store.landing.LandingRig.ok;
import static io.hawser.store.landing.LandingRig.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferKey;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commits that do not agree with what has come, and fragments that come twice. */
final class LandingCommitTest {
    private static final byte[] CONTENT = bytes(1, 3 * FRAGMENT_BYTES);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path root;

    @SuppressWarnings("NullAway.Init") // see open
    private LandingRig rig;

    @BeforeEach
    void open() throws StorageException {
        rig = LandingRig.into(new DiskStorage(), root);
    }

    @AfterEach
    void close() {
        rig.closeInOrder();
    }

    private void arrives(Manifest manifest) {
        ok(rig.open(manifest));
        for (int i = 0; i < 3; i++) {
            ok(rig.offer(manifest.key(), CONTENT, i));
        }
    }

    private void isRefused(Commit commit, String why) {
        var refusal = refused(rig.<List<String>>ask(done -> rig.area.commit(key(1), commit, done)));
        assertThat(refusal.code()).isEqualTo(ErrorCode.DIGEST_MISMATCH);
        assertThat(refusal.detail()).contains(why);
        assertThat(root.resolve("f")).doesNotExist();
    }

    @Test
    void aCommitOfAnotherSizeThanTheManifestsIsRefusedAndTheRightOneIsTaken() {
        arrives(file(1, "f", CONTENT.length));

        isRefused(commitOf(bytes(1, 2 * FRAGMENT_BYTES)), "not those of the manifest");
        isRefused(new Commit(CONTENT.length, 6, new TransferDigest(4096, new byte[32])), "not those of the manifest");
        ok(rig.commit(key(1), CONTENT));
        rig.awaitReceipts(1);
        assertThat(root.resolve("f")).hasBinaryContent(CONTENT);
    }

    @Test
    void aCommitOfFewerOrMoreFragmentsThanAreHereIsRefused() {
        arrives(file(1, "f", Manifest.UNKNOWN_SIZE));

        isRefused(commitOf(bytes(1, 2 * FRAGMENT_BYTES)), "The commit speaks of 2 fragments");
        isRefused(commitOf(bytes(1, 4 * FRAGMENT_BYTES)), "The commit speaks of 4 fragments");
        ok(rig.commit(key(1), CONTENT));
        rig.awaitReceipts(1);
        assertThat(root.resolve("f")).hasBinaryContent(CONTENT);
    }

    /** All in one turn of the loop: the cancellation waits for what is being written, and the commit behind it. */
    @Test
    void aCommitBehindACancellationIsRefused() {
        ok(rig.open(file(1, "f", CONTENT.length)));
        Fragment first = rig.fragment(key(1), CONTENT, 0);
        CompletableFuture<Outcome<TransferKey>> cancelled = new CompletableFuture<>();
        CompletableFuture<Outcome<List<String>>> committed = rig.ask(done -> {
            rig.area.fragment(first, stored -> {});
            first.buffer().release();
            rig.area.cancel(key(1), "no", cancelled::complete);
            rig.area.commit(key(1), commitOf(CONTENT), done);
        });

        assertThat(refused(committed).code()).isEqualTo(ErrorCode.CANCELLED);
        ok(cancelled);
        assertThat(ok(rig.lookup(key(1))).state()).isEqualTo(StoredTransfer.State.CANCELLED);
        assertThat(root.resolve("f")).doesNotExist();
    }

    @Test
    void aCommitBehindAnOpenThatIsRefusedIsRefused() {
        Manifest tooLarge = file(1, "f", 1L << 58);
        CompletableFuture<Outcome<Manifest>> opened = new CompletableFuture<>();
        CompletableFuture<Outcome<List<String>>> committed = rig.ask(done -> {
            rig.area.open(tooLarge, opened::complete);
            rig.area.commit(key(1), commitOf(CONTENT), done);
        });

        assertThat(refused(opened).code()).isEqualTo(ErrorCode.NO_SPACE);
        refused(committed);
        assertThat(ok(rig.lookup(key(1))).state()).isEqualTo(StoredTransfer.State.ABSENT);
    }

    /** The second copy waits while the first is being written, and is not written again. */
    @Test
    void fragmentsThatComeTwiceTogetherAreBothAnswered() {
        ok(rig.open(file(1, "f", CONTENT.length)));
        for (int i = 0; i < 3; i++) {
            List<CompletableFuture<Outcome<Fragment>>> answers = new ArrayList<>();
            for (int copy = 0; copy < 3; copy++) {
                answers.add(rig.offer(key(1), CONTENT, i));
            }
            answers.forEach(LandingRig::ok);
        }
        ok(rig.commit(key(1), CONTENT));
        rig.awaitReceipts(1);
        assertThat(root.resolve("f")).hasBinaryContent(CONTENT);
    }
}
