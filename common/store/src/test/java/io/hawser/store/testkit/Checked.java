package io.hawser.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.store.check.CheckContext;
import io.hawser.store.check.DirectoryCheck;
import io.hawser.store.check.Finding;
import io.hawser.store.check.Finding.Severity;
import io.hawser.store.check.Findings;
import io.hawser.store.check.NodeFiles;
import io.hawser.store.storage.DirectoryLock;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.NodeDirectory;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a check of a data directory found, and what it counted. */
public record Checked(List<Finding> findings, Map<String, Long> counts) {
    /** Reads everything in {@code directory}, which no process may use. */
    public static Checked of(DirectoryCheck check, Path directory) throws StorageException {
        return run(check, directory, false);
    }

    /** Leaves out what takes long. */
    public static Checked quickly(DirectoryCheck check, Path directory) throws StorageException {
        return run(check, directory, true);
    }

    private static Checked run(DirectoryCheck check, Path directory, boolean quick) throws StorageException {
        DiskStorage storage = new DiskStorage();
        List<Finding> found = new ArrayList<>();
        Findings findings = new Findings(found::add, bytes -> {});
        DirectoryLock lock = NodeDirectory.holdForReading(storage, directory);
        try {
            assertThat(check.recognises(storage, directory)).isTrue();
            long epoch = NodeFiles.check(storage, directory, findings);
            Path scratch = directory.resolveSibling("scratch of a check");
            check.check(new CheckContext(storage, directory, epoch, quick, scratch, findings));
        } finally {
            lock.close();
        }
        return new Checked(found, findings.counts());
    }

    /** No damage and not a single note. */
    public void assertClean() {
        assertThat(findings).isEmpty();
    }

    /** Only notes, and among them one of that kind about that place; gives it. */
    public Finding assertNote(String kind, Object place) {
        assertThat(findings).allMatch(finding -> finding.severity() == Severity.NOTE);
        return only(Severity.NOTE, kind, place);
    }

    /** Damage of that kind at that place; gives it. */
    public Finding assertDamage(String kind, Object place) {
        return only(Severity.DAMAGE, kind, place);
    }

    private Finding only(Severity severity, String kind, Object place) {
        List<Finding> matching = findings.stream()
                .filter(finding -> finding.severity() == severity
                        && finding.kind().equals(kind)
                        && finding.place().contains(place.toString()))
                .toList();
        assertThat(matching).as(findings.toString()).isNotEmpty();
        return matching.get(0);
    }
}
