package io.hawser.it.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Program;
import io.hawser.it.harness.Installation;
import io.hawser.it.harness.Namespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The first transfer of the README and of the tutorial for operators, as their commands are printed: their ports, their directories. Each
 * terminal is a process that is waited for until it says READY, and that must end with 0 after SIGTERM.
 */
class WalkThroughIT {
    private static final Path README = Path.of("../README.md");
    private static final Path TUTORIAL = Path.of("../docs/tutorial-operating.md");

    /** {@code terminal COMMAND} starts a node; {@code same A B} waits until B is there and compares. */
    private static final String FRAME = """
            export HAWSER_JAVA_OPTS='-XX:-UsePerfData -XX:TieredStopAtLevel=1'
            nodes=()
            terminal() {
                file=$PWD/../terminal-${#nodes[@]}
                bash -c "$1" > $file.out 2> $file.log &
                nodes+=($!)
                until grep -q '^READY ' $file.out; do
                    kill -0 $! || { cat $file.log; exit 1; }
                    sleep 0.05
                done
            }
            same() { for i in $(seq 300); do if cmp -s "$1" "$2"; then return; fi; sleep 0.1; done; cmp "$1" "$2"; }
            end() {
                for pid in ${nodes[@]}; do kill -TERM $pid; done
                for pid in ${nodes[@]}; do wait $pid; done
                umount /tmp/hawser
                rmdir --ignore-fail-on-non-empty /tmp/hawser
            }
            mkdir -p /tmp/hawser
            mount --bind ../tmp /tmp/hawser
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path directory;

    private Path home;

    @BeforeEach
    void install() throws IOException {
        Program.needs("curl");
        home = Installation.in(directory.resolve("hawser"));
        Files.copy(README, home.resolve("README.md"));
        Files.createDirectory(directory.resolve("tmp"));
    }

    /** The lines of a section that are indented, in the order of the page. */
    private static List<String> commands(Path page, String heading) throws IOException {
        List<String> lines = Files.readAllLines(page);
        assertThat(lines).contains(heading);
        try (Stream<String> section = lines.subList(lines.indexOf(heading) + 1, lines.size()).stream()) {
            return section.takeWhile(line -> !line.startsWith("#"))
                    .filter(line -> line.startsWith("    "))
                    .map(String::strip)
                    .toList();
        }
    }

    private Program.Result run(List<String> script) throws Exception {
        return Namespace.run(home, FRAME + String.join("\n", script) + "\nend\n")
                .succeeded();
    }

    private static String terminal(String command) {
        return "terminal '" + command + "'";
    }

    @Test
    void oneProcess() throws Exception {
        List<String> printed = commands(README, "## A first transfer of your own");
        assertThat(printed).hasSize(3);
        List<String> script = new ArrayList<>();
        script.add(terminal(printed.get(0)));
        script.addAll(printed.subList(1, printed.size()));
        script.add("same README.md received/README.md");

        run(script);

        assertThat(home.resolve("hawser-data")).isDirectory();
    }

    @Test
    void threeTerminals() throws Exception {
        List<String> script = new ArrayList<>();
        boolean inTerminal = false;
        int terminals = 0;
        for (String line : commands(TUTORIAL, "## 1. Start three processes")) {
            if (line.startsWith("#")) {
                inTerminal = line.startsWith("# terminal ");
                terminals += inTerminal ? 1 : 0;
            } else {
                script.add(inTerminal ? terminal(line) : line);
            }
        }
        assertThat(terminals).isEqualTo(3);
        script.add("same README.md /tmp/hawser/received/docs/README.md");

        assertThat(run(script).output()).as("what status says").contains("docs/README.md");
    }
}
