package io.hawser.store.landing;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKind;
import io.hawser.store.check.CheckContext;
import io.hawser.store.check.Finding;
import io.hawser.store.check.Findings;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.FaultyStorage;
import io.hawser.store.testkit.StoppedLog;
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

    private CheckContext context(Path directory) {
        return new CheckContext(
                storage, directory, 5, false, Path.of("/scratch"), new Findings(found::add, bytes -> {}));
    }

    private LandedFileCheck check(Path directory) {
        return new LandedFileCheck(context(directory), directory.resolve("files"));
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
        assertThat(found.get(0).meaning()).contains("dead-letter list");
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

        new LandingCheck().check(context(area));

        assertThat(found).extracting(Finding::kind).containsExactly("log.content");
        assertThat(found.get(0).meaning()).contains("has no key");
    }
}
