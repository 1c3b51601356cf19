package io.hawser.it.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.it.ledger.Ledger;
import io.hawser.it.ledger.Violations;
import io.hawser.store.landing.LandingOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each rename to a name counts, however fast one follows the other. */
class PublicationsTest {
    private static final int RENAMES = 3000;

    @TempDir
    private Path directory;

    @Test
    void renamesToOneNameInARowAreAllCounted() throws Exception {
        Path target = Files.createDirectory(directory.resolve("delivered"));
        Violations violations = Violations.silent();
        Ledger ledger = new Ledger();
        byte[] content = {1};
        try (Publications seen = new Publications("b", target, List.of("app-0"), ledger, violations, new Pulse())) {
            ledger.version("app-0/o-1", content);
            Path files = Files.createDirectories(
                    target.resolve(LandingOptions.DIRECTORY_PREFIX + "b").resolve("files"));
            await().until(() -> seen.watchesOfFiles() > 0);
            Path[] landed = new Path[RENAMES];
            for (int i = 0; i < RENAMES; i++) {
                landed[i] = Files.write(files.resolve(i + ".part"), content);
            }

            for (Path file : landed) {
                Files.move(file, target.resolve("app-0/o-1"), StandardCopyOption.ATOMIC_MOVE);
            }

            await().until(() -> seen.count("app-0/o-1") == RENAMES);
        }
        assertThat(violations.all()).isEmpty();
    }
}
