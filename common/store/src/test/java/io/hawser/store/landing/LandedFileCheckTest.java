package io.hawser.store.landing;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKind;
import io.hawser.store.check.CheckContext;
import io.hawser.store.check.Finding;
import io.hawser.store.check.Findings;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.FaultyStorage;
import io.hawser.store.testkit.StoppedLog;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A landing area's check where a file is gone, by what stands where it should have gone. */
class LandedFileCheckTest {
    private static final Path TARGET = Path.of("/target");
    private static final Commit COMMIT = LandingRig.commitOf(new byte[10]);

    private final FaultyStorage storage = new FaultyStorage();
    private final List<Finding> found = new ArrayList<>();
    private final Path area = TARGET.resolve(LandingOptions.DIRECTORY_PREFIX + "sub");

    @BeforeEach
    void directories() throws StorageException {
        storage.createDirectories(area.resolve("files"));
        storage.createDirectories(TARGET.resolve("plain/files"));
    }

    private CheckContext context(Path directory, boolean quick) {
        return new CheckContext(
                storage, directory, 5, quick, Path.of("/scratch"), new Findings(found::add, bytes -> {}));
    }

    private LandedFileCheck check(Path directory) {
        return new LandedFileCheck(context(directory, false), directory.resolve("files"));
    }

    private LandedFileCheck quickCheck(Path directory) {
        return new LandedFileCheck(context(directory, true), directory.resolve("files"));
    }

    private static Manifest file(String name) {
        return LandingRig.file(1, name, 10);
    }

    @Test
    void whatHasNoBytesNeedsNoFile() throws Exception {
        Manifest removal = LandingRig.manifest(1, TransferKind.DELETE, "x", 0, Map.of());
        check(area).incomplete(removal);
        check(area).whole(removal, COMMIT, false);

        assertThat(found).isEmpty();
        check(area).incomplete(file("x"));
        assertThat(found).extracting(Finding::kind).containsExactly("landing.restarts");
    }

    @Test
    void aFileAtItsNameWasPublishedUnlessItWaitedOnTheListOfDeadLetters() throws Exception {
        storage.replaceAll(TARGET.resolve("x"), new byte[10]);

        check(area).whole(file("x"), COMMIT, false);
        assertThat(found).extracting(Finding::kind).containsExactly("landing.published");
        found.clear();
        check(area).whole(file("x"), COMMIT, true);
        assertThat(found).extracting(Finding::kind).containsExactly("landing.verified-gone");
        assertThat(found.get(0).meaning())
                .contains("dead-letter list", "It fails")
                .doesNotContain("next start");
    }

    @Test
    void anotherFileAtItsNameIsNotIt() throws Exception {
        storage.replaceAll(TARGET.resolve("x"), new byte[9]);
        quickCheck(area).whole(file("x"), COMMIT, false);
        assertThat(found).extracting(Finding::kind).containsExactly("landing.verified-gone");
        assertThat(found.get(0).meaning()).contains("another file is at its name");
        found.clear();

        storage.replaceAll(TARGET.resolve("x"), "other 1234".getBytes(StandardCharsets.US_ASCII));
        quickCheck(area).whole(file("x"), COMMIT, false); // which reads no bytes
        check(area).whole(file("x"), COMMIT, false);
        assertThat(found).extracting(Finding::kind).containsExactly("landing.published", "landing.verified-gone");
        found.clear();

        storage.createDirectories(TARGET.resolve("d"));
        check(area).whole(file("d"), COMMIT, false);
        assertThat(found).extracting(Finding::kind).containsExactly("landing.verified-gone");
    }

    private static final Manifest PATCH = LandingRig.manifest(
            1, TransferKind.PATCH, "x", 10, Map.of(Attributes.BASE_SIZE, "20", Attributes.OFFSET, "15"));

    /** Makes the merged file of {@link #PATCH}, 25 bytes. */
    private Path merge() throws StorageException {
        Path part = area.resolve("files/" + PATCH.key() + ".part");
        storage.replaceAll(PatchPlan.merging(part), new byte[25]);
        byte[] leaf = TreeDigest.leaf(ByteBuffer.allocate(25));
        MergedFile.complete(storage, part, TreeDigest.ofSingle(leaf, 25, MergedFile.LEAF_BYTES));
        return PatchPlan.merged(part);
    }

    @Test
    void mergedFileOfAPatchIsRead() throws Exception {
        storage.replaceAll(TARGET.resolve("x"), new byte[20]);
        Path merged = merge();
        check(area).whole(PATCH, COMMIT, false);
        check(area).whole(PATCH, COMMIT, true);
        assertThat(found).isEmpty();

        storage.replaceAll(merged, "1234567890123456789012345".getBytes(StandardCharsets.US_ASCII));
        quickCheck(area).whole(PATCH, COMMIT, false);
        assertThat(found).isEmpty();
        check(area).whole(PATCH, COMMIT, false);
        assertThat(found).extracting(Finding::kind).containsExactly("landing.damaged");
        assertThat(found.get(0).place()).contains(merged.toString());
        found.clear();

        storage.replaceAll(merged, new byte[24]);
        quickCheck(area).whole(PATCH, COMMIT, false);
        assertThat(found).extracting(Finding::kind).containsExactly("landing.size");
    }

    @Test
    void patchedFileIsComparedByItsSizeAndByItsDigestIfThatIsThere() throws Exception {
        storage.rename(merge(), TARGET.resolve("x"));
        check(area).whole(PATCH, COMMIT, false);
        assertThat(found).extracting(Finding::kind).containsExactly("landing.published");
        found.clear();

        storage.replaceAll(TARGET.resolve("x"), "1234567890123456789012345".getBytes(StandardCharsets.US_ASCII));
        check(area).whole(PATCH, COMMIT, false);
        storage.delete(PatchPlan.sum(area.resolve("files/" + PATCH.key() + ".part")));
        check(area).whole(PATCH, COMMIT, false);
        storage.replaceAll(TARGET.resolve("x"), new byte[20]);
        check(area).whole(PATCH, COMMIT, false);
        assertThat(found)
                .extracting(Finding::kind)
                .containsExactly("landing.verified-gone", "landing.published", "landing.verified-gone");
    }

    @Test
    void whereItIsNotKnownWhereItGoesItIsGone() throws Exception {
        storage.replaceAll(TARGET.resolve("x"), new byte[10]);

        check(TARGET.resolve("plain")).whole(file("x"), COMMIT, false);
        check(area).whole(file("../x"), COMMIT, false);
        check(area).whole(file("y"), COMMIT, false);
        assertThat(found)
                .hasSize(3)
                .allSatisfy(each -> assertThat(each.kind()).isEqualTo("landing.verified-gone"))
                .allSatisfy(each -> assertThat(each.meaning()).contains("waits to be delivered"));
    }

    @Test
    void aRecordOfNoTransferInTheJournalIsFound() throws Exception {
        Path journal = area.resolve("journal");
        assertThat(new LandingCheck().recognises(storage, area)).isFalse();
        new StoppedLog(storage, journal, 64 << 10).append(5, 1, null, new byte[1]);
        assertThat(new LandingCheck().recognises(storage, area)).isTrue();
        assertThat(new LandingCheck().recognises(storage, TARGET.resolve("plain")))
                .isFalse();
        storage.createDirectories(TARGET.resolve("spool/journal"));
        assertThat(new LandingCheck().recognises(storage, TARGET.resolve("spool")))
                .isFalse();

        new LandingCheck().check(context(area, false));

        assertThat(found).extracting(Finding::kind).containsExactly("log.content");
        assertThat(found.get(0).meaning()).contains("no transfer key");
    }
}
