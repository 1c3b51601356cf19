package io.hawser.store.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which entries of a directory are none, and which make its listing fail. */
class ServedTreeTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path root;

    private List<String> names(String... segments) throws IOException {
        List<String> names = new ArrayList<>();
        new ServedTree(root, ".hidden").list(List.of(segments), "", 100, (name, entry) -> {
            if (entry != null) {
                names.add(name);
            }
            return true;
        });
        return names;
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void onlyWhatIsGoneOrNoFileIsLeftOut() {
        assertThat(ServedTree.isNoEntry(new NoSuchFileException("x"))).isTrue();
        assertThat(ServedTree.isNoEntry(new ServedTree.LeadsOutException("x"))).isTrue();
        assertThat(ServedTree.isNoEntry(new ServedTree.NoFileException("x"))).isTrue();
        assertThat(ServedTree.isNoEntry(new FileSystemException("x", null, "Too many levels of symbolic links")))
                .isTrue();

        assertThat(ServedTree.isNoEntry(new AccessDeniedException("x"))).isFalse();
        assertThat(ServedTree.isNoEntry(new FileSystemException("x", null, "Input/output error")))
                .isFalse();
        assertThat(ServedTree.isNoEntry(new IOException("Input/output error"))).isFalse();
    }

    @Test
    void linksThatLeadNowhereAreLeftOut() throws IOException {
        Files.writeString(root.resolve("file"), "x");
        Files.createSymbolicLink(root.resolve("dangling"), root.resolve("nothing"));
        Files.createSymbolicLink(root.resolve("loop"), root.resolve("loop"));
        Files.createSymbolicLink(root.resolve("belowFile"), root.resolve("file/x"));
        Files.createSymbolicLink(root.resolve("out"), Path.of("/etc/passwd"));

        assertThat(names()).containsExactly("file");
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aDirectoryWhoseEntriesCannotBeLookedAtIsNotListedAsEmpty() throws IOException {
        assumeFalse("root".equals(System.getProperty("user.name")), "root may look at everything");
        Files.createDirectories(root.resolve("closed/sub"));
        Files.setPosixFilePermissions(root.resolve("closed"), PosixFilePermissions.fromString("r--------"));
        try {
            assertThatThrownBy(() -> names("closed")).isInstanceOf(AccessDeniedException.class);
        } finally {
            Files.setPosixFilePermissions(root.resolve("closed"), PosixFilePermissions.fromString("rwx------"));
        }
    }
}
