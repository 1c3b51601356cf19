package io.hawser.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.storage.DiskStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AftermathTest {
    @TempDir
    Path directory;

    private final DiskStorage storage = new DiskStorage();

    private Path file(String name, String content) throws IOException {
        Path file = directory.resolve("in").resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }

    private String fingerprint(Path file) throws IOException {
        return Objects.requireNonNull(storage.facts(file)).fingerprint();
    }

    private String apply(String then, String name, String fingerprint) throws IOException {
        Path below = Path.of(name);
        return Aftermath.parse(then).apply(directory.resolve("in").resolve(below), below, fingerprint, storage);
    }

    @Test
    void whatIsKeptStays() throws IOException {
        Path file = file("f", "one");
        assertThat(apply("keep", "f", fingerprint(file))).isEmpty();
        assertThat(file).hasContent("one");
    }

    @Test
    void whatIsDeletedIsGoneAndNothingIsLeftOfIt() throws IOException {
        Path file = file("f", "one");
        assertThat(apply("delete", "f", fingerprint(file))).isEqualTo("deleted");
        assertThat(directory.resolve("in")).isEmptyDirectory();
    }

    @Test
    void whatIsMovedKeepsItsPathAndReplacesNothing() throws IOException {
        String move = "move:" + directory.resolve("sent");
        for (String content : new String[] {"one", "two", "three"}) {
            Path file = file("d/f", content);
            assertThat(apply(move, "d/f", fingerprint(file))).startsWith("moved to ");
        }
        assertThat(directory.resolve("sent/d/f")).hasContent("one");
        assertThat(directory.resolve("sent/d/f.2")).hasContent("two");
        assertThat(directory.resolve("sent/d/f.3")).hasContent("three");
    }

    @Test
    @Invariant(InvariantName.NO_CHIMERA)
    void aNewVersionIsLeftAlone() throws IOException {
        String old = fingerprint(file("f", "one"));
        Path file = file("f", "another");
        for (String then : new String[] {"delete", "move:" + directory.resolve("sent")}) {
            assertThat(apply(then, "f", old)).contains("not there any more");
            assertThat(file).hasContent("another");
        }
        Files.delete(file);
        assertThat(apply("delete", "f", old)).contains("not there any more");
    }

    /** The process died after it had taken the file from its name. */
    @Test
    @Invariant(InvariantName.RESUME_FROM_DURABLE)
    void aDeletionThatWasInterruptedIsFinished() throws IOException {
        Path file = file("f", "one");
        String fingerprint = fingerprint(file);
        Path doomed = Aftermath.doomed(file, fingerprint);
        Files.move(file, doomed);
        assertThat(Aftermath.isOwn(doomed)).isTrue();
        Path next = file("f", "two");
        assertThat(apply("delete", "f", fingerprint)).isEqualTo("deleted");
        assertThat(doomed).doesNotExist();
        assertThat(next).hasContent("two");
    }

    @Test
    void othersAreRefusedByName() {
        assertThatThrownBy(() -> Aftermath.parse("burn")).hasMessageContaining("none of keep, delete and move:DIR");
        assertThatThrownBy(() -> Aftermath.parse("move:")).isInstanceOf(IllegalArgumentException.class);
    }
}
