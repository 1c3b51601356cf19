package io.hawser.common.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfinedRenamesTest {
    @TempDir
    Path temp;

    private Path root;
    private Path outside;
    private Storage storage;

    @BeforeEach
    void prepare() throws IOException {
        root = Files.createDirectory(temp.resolve("root"));
        outside = Files.createDirectory(temp.resolve("outside"));
        Files.createDirectory(root.resolve("a"));
        Files.createDirectory(root.resolve("a/d"));
        Files.createDirectory(outside.resolve("d"));
        for (int i = 0; i < 200; i++) {
            Files.writeString(root.resolve("from-" + i), "content " + i);
        }
        storage = new DiskStorage().below(root);
    }

    @Test
    void manyAreRenamedIntoMoreDirectoriesThanAreKeptOpen() throws Exception {
        try (Renames renames = storage.manyRenames()) {
            for (int i = 0; i < 200; i++) {
                Path directory = Files.createDirectories(root.resolve("many/" + i % 90));
                renames.rename(root.resolve("from-" + i), directory.resolve("to-" + i));
            }
        }

        for (int i = 0; i < 200; i++) {
            assertThat(root.resolve("many/" + i % 90 + "/to-" + i)).hasContent("content " + i);
        }
    }

    @Test
    void aDirectoryThatWasMovedAwayGetsNothingMore() throws Exception {
        try (Renames renames = storage.manyRenames()) {
            renames.rename(root.resolve("from-0"), root.resolve("a/d/0"));
            Files.move(root.resolve("a/d"), root.resolve("taken"));
            Files.createDirectory(root.resolve("a/d"));
            renames.rename(root.resolve("from-1"), root.resolve("a/d/1"));
        }

        assertThat(root.resolve("taken/0")).exists();
        assertThat(root.resolve("taken/1")).doesNotExist();
        assertThat(root.resolve("a/d/1")).hasContent("content 1");
    }

    @Test
    void aDirectoryThatIsGoneIsMissing() throws Exception {
        try (Renames renames = storage.manyRenames()) {
            renames.rename(root.resolve("from-0"), root.resolve("a/d/0"));
            Files.move(root.resolve("a/d"), root.resolve("taken"));

            assertThatThrownBy(() -> renames.rename(root.resolve("from-1"), root.resolve("a/d/1")))
                    .isInstanceOf(PathMissingException.class);
        }
    }

    @Test
    void aLinkInThePlaceOfADirectoryLeadsNowhere() throws Exception {
        try (Renames renames = storage.manyRenames()) {
            renames.rename(root.resolve("from-0"), root.resolve("a/d/0"));
            Files.move(root.resolve("a/d"), root.resolve("taken"));
            Files.createSymbolicLink(root.resolve("a/d"), outside.resolve("d"));

            assertThatThrownBy(() -> renames.rename(root.resolve("from-1"), root.resolve("a/d/1")))
                    .isInstanceOf(StorageException.class);
        }

        assertThat(outside.resolve("d")).isEmptyDirectory();
        assertThat(root.resolve("from-1")).exists();
    }

    @Test
    void aLinkAboveADirectoryLeadsNowhere() throws Exception {
        try (Renames renames = storage.manyRenames()) {
            renames.rename(root.resolve("from-0"), root.resolve("a/d/0"));
            Files.move(root.resolve("a"), root.resolve("taken"));
            Files.createSymbolicLink(root.resolve("a"), outside);

            assertThatThrownBy(() -> renames.rename(root.resolve("from-1"), root.resolve("a/d/1")))
                    .isInstanceOf(StorageException.class);
        }

        assertThat(outside.resolve("d")).isEmptyDirectory();
        assertThat(root.resolve("from-1")).exists();
    }
}
