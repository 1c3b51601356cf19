package io.hawser.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.ExitCode;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Invariant(InvariantName.HONEST_ANSWERS)
class SendPlanTest {
    @TempDir
    Path directory;

    private Path file(String name) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, name);
    }

    private static void assertRefused(ExitCode code, List<Path> paths, String... words) {
        assertThatThrownBy(() -> SendPlan.of(paths, choice("", NameFilter.ALL)))
                .isInstanceOfSatisfying(CommandException.class, refused -> {
                    assertThat(refused.exitCode()).isEqualTo(code);
                    assertThat(refused).hasMessageContainingAll(words);
                });
    }

    @Test
    void twoFilesOfOneNameAreRefusedByTheirPaths() throws IOException {
        Path one = file("a/x");
        Path other = file("b/x");
        assertRefused(ExitCode.USAGE, List.of(one, other), one.toString(), other.toString(), "arrive as 'x'");
        assertRefused(ExitCode.USAGE, List.of(one, directory.resolve("a/../a/x")), "is named twice");
    }

    @Test
    void treesThatShareAFileNameAreRefused() throws IOException {
        Path one = file("a/tree/deep/x");
        Path other = file("b/tree/deep/x");
        file("b/tree/y");
        assertRefused(
                ExitCode.USAGE,
                List.of(directory.resolve("a/tree"), directory.resolve("b/tree")),
                one.toString(),
                other.toString(),
                "tree/deep/x");
    }

    @Test
    void aFileAndADirectoryOfOneNameAreRefused() throws IOException {
        Path one = file("a/x");
        Path other = file("b/x/y");
        assertRefused(
                ExitCode.USAGE,
                List.of(one, directory.resolve("b/x")),
                one.toString(),
                other.toString(),
                "as a file and as a directory");
    }

    @Test
    void treesWithDifferentFilesAndNamesThatDifferInCaseAreSent() throws IOException {
        file("a/tree/x");
        file("b/tree/X");
        Files.createDirectories(directory.resolve("a/tree/empty"));
        Files.createDirectories(directory.resolve("b/tree/empty"));
        SendPlan plan = SendPlan.of(
                List.of(directory.resolve("a/tree"), directory.resolve("b/tree")), choice("", NameFilter.ALL));
        assertThat(plan.entries())
                .extracting(SendPlan.Entry::name)
                .containsExactlyInAnyOrder("tree/x", "tree/X", "tree/empty");
    }

    @Test
    void whatIsNoFileIsCalledWhatItIs() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor(TestTimes.SECONDS, TimeUnit.SECONDS))
                .isTrue();
        Path dangling = Files.createSymbolicLink(directory.resolve("dangling"), Path.of("nowhere"));
        assertRefused(ExitCode.FAILED, List.of(pipe), pipe + " is a pipe (FIFO)");
        assertRefused(ExitCode.FAILED, List.of(Path.of("/dev/null")), "/dev/null is a device");
        assertRefused(ExitCode.FAILED, List.of(dangling), "a symbolic link to a file that is not there");
    }

    @Test
    void aNameThatIsNotUtf8IsRefused() throws IOException {
        file("tree/good");
        Path bad = Path.of(URI.create(directory.resolve("tree").toUri() + "%FFx"));
        Files.writeString(bad, "x");
        assertRefused(ExitCode.FAILED, List.of(directory.resolve("tree")), "not UTF-8", "Nothing was sent");
    }

    private static SendPlan.Choice choice(String directory, NameFilter filter) {
        return new SendPlan.Choice(directory, filter, null);
    }

    @Test
    void namesAreBelowTheDirectoryAtTheFarEnd() throws IOException {
        file("tree/x");
        Path alone = file("alone");
        SendPlan plan = SendPlan.of(List.of(directory.resolve("tree"), alone), choice("in/2026", NameFilter.ALL));
        assertThat(plan.entries()).extracting(SendPlan.Entry::name).containsExactly("in/2026/tree/x", "in/2026/alone");
    }

    @Test
    void whatIsExcludedIsCountedByItsReason() throws IOException {
        file("tree/x");
        file("tree/x.tmp");
        file("tree/cache/1");
        file("tree/cache/2");
        Files.createSymbolicLink(directory.resolve("tree/link"), Path.of("x"));
        SendPlan plan = SendPlan.of(
                List.of(directory.resolve("tree")), choice("", NameFilter.of(List.of(), List.of("*.tmp", "cache"))));
        assertThat(plan.entries()).extracting(SendPlan.Entry::name).containsExactly("tree/x");
        assertThat(plan.skippedText()).isEqualTo("3 (1 a symbolic link, 2 excluded)");
        assertThat(plan.skipped()).filteredOn(skipped -> !skipped.isWanted()).hasSize(1);
    }

    @Test
    void standardInputHasTheNameThatItIsGiven() throws IOException {
        SendPlan plan = SendPlan.of(List.of(Path.of("-")), new SendPlan.Choice("in", NameFilter.ALL, "dump"));
        assertThat(plan.entries()).singleElement().satisfies(entry -> {
            assertThat(entry.name()).isEqualTo("in/dump");
            assertThat(entry.isStandardInput()).isTrue();
        });
        assertThat(plan.hasUnknownSize()).isTrue();
    }
}
