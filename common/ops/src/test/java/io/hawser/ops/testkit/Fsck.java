package io.hawser.ops.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.ops.cli.FsckCommand;
import io.hawser.ops.cli.Hawser;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** One run of {@code hawser fsck} in this process: its exit code and what it printed. */
public record Fsck(int code, String out, String err) {
    /** Runs it with {@code arguments} behind the command's name. */
    public static Fsck run(Object... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] all = Stream.concat(Stream.of("fsck"), Stream.of(arguments).map(Object::toString))
                .toArray(String[]::new);
        int code = Hawser.run(
                List.of(new FsckCommand()), Map.of(), new PrintWriter(out, true), new PrintWriter(err, true), all);
        return new Fsck(code, out.toString(), err.toString());
    }

    /** Runs it, and makes sure that it has changed nothing. */
    public static Fsck of(Path directory, Object... more) throws IOException {
        Map<String, Long> before = facts(directory);
        Fsck result = run(
                Stream.concat(Stream.of((Object) directory), Stream.of(more)).toArray());
        assertThat(facts(directory)).isEqualTo(before);
        return result;
    }

    private static Map<String, Long> facts(Path directory) throws IOException {
        Map<String, Long> facts = new TreeMap<>();
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : (Iterable<Path>) all::iterator) {
                facts.put(
                        path.toString(),
                        Files.getLastModifiedTime(path).toMillis() * 31
                                + (Files.isDirectory(path) ? 0 : Files.size(path)));
            }
        }
        return facts;
    }

    /** No damage and not a single note. */
    public void assertClean() {
        assertThat(out + err).contains("no damage, no notes");
        assertThat(code).isZero();
    }

    /** Only a note of that kind, about that place. */
    public void assertNote(String kind, String place) {
        assertLine("note   " + kind + "  ", place);
        assertThat(out + err).doesNotContain("DAMAGE");
        assertThat(code).isZero();
    }

    /** Damage of that kind at that place, and exit code 1. */
    public void assertDamage(String kind, String place) {
        assertLine("DAMAGE " + kind + "  ", place);
        assertThat(code).isEqualTo(1);
    }

    private void assertLine(String kind, String place) {
        assertThat((out + err).lines().filter(line -> line.contains(kind) && line.contains(place)))
                .as(out + err)
                .isNotEmpty();
    }
}
