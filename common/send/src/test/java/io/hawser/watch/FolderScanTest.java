package io.hawser.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.send.NameFilter;
import io.hawser.store.storage.DiskStorage;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderScanTest {
    @TempDir
    Path root;

    private FolderScan.Found scan(NameFilter filter, Path... apart) throws IOException {
        return new FolderScan(root, filter, List.of(apart), new DiskStorage()).scan();
    }

    private Path file(String name) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, name);
    }

    @Test
    void regularFilesOfTheWholeTreeAreFound() throws IOException {
        file("a b");
        file("d/\u9375");
        Files.createSymbolicLink(root.resolve("link"), Path.of("a b"));
        Files.createSymbolicLink(root.resolve("loop"), Path.of("."));
        Files.createDirectories(root.resolve("empty"));
        FolderScan.Found found = scan(NameFilter.ALL);
        assertThat(found.files()).containsOnlyKeys(Path.of("a b"), Path.of("d/\u9375"));
        assertThat(found.directories()).containsExactlyInAnyOrder(root, root.resolve("d"), root.resolve("empty"));
        assertThat(found.problems()).isEmpty();
    }

    @Test
    void whatIsApartOrExcludedIsPassedOver() throws IOException {
        file("sent/x");
        file(".git/y");
        file("z");
        file(".hawser-sent-0123456789abcdef");
        FolderScan.Found found = scan(NameFilter.of(List.of(), List.of(".git")), root.resolve("sent"));
        assertThat(found.files()).containsOnlyKeys(Path.of("z"));
        assertThat(found.directories()).containsExactly(root);
    }

    @Test
    void aNameThatIsNotUtf8IsFoundAsItIs() throws IOException {
        Path bad = Path.of(URI.create(root.toUri() + "%FFx"));
        Files.writeString(bad, "x");
        assertThat(scan(NameFilter.ALL).files()).containsOnlyKeys(bad.getFileName());
    }

    @Test
    void aDirectoryThatIsGoneIsNoEmptyOne() throws IOException {
        Files.delete(root);
        assertThatThrownBy(() -> scan(NameFilter.ALL))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("is not there");
    }
}
