package io.hawser.core.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReloadingAccessFileTest {
    @Test
    void aPipeInItsPlaceIsNotWaitedForAndTheRulesStay(@TempDir Path directory) throws Exception {
        Path path = Files.writeString(directory.resolve("acl"), "client all plans\n");
        ReloadingAccessFile file = ReloadingAccessFile.open(path);
        Files.delete(path);
        assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor())
                .isZero();

        await().untilAsserted(() -> {
            assertThat(file.generation()).isZero();
            assertThat(file.problem()).hasValueSatisfying(problem -> assertThat(problem)
                    .contains("it is not a regular file", "the previous rules stay in force"));
        });

        Files.delete(path);
        Files.writeString(path, "client all other\n");
        await().until(() -> file.generation() == 1);
        assertThat(file.problem()).isEmpty();
    }
}
