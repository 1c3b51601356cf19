package io.hawser.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.ops.cli.Hawser;
import io.hawser.ops.cli.Subcommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The help of every command, and of those below them. */
class CommandHelpTest {
    private static final List<String> ALL_TOP = List.of(
            "agent-a",
            "agent-b",
            "bench",
            "broker",
            "cancel",
            "dead",
            "demo",
            "drill",
            "drop",
            "fsck",
            "get",
            "help",
            "history",
            "hold",
            "join",
            "keys",
            "loggers",
            "ls",
            "priority",
            "quotas",
            "receive",
            "release",
            "replicas",
            "retry",
            "send",
            "status",
            "subscriptions",
            "up",
            "user",
            "watch",
            "why");

    static List<List<String>> commands() {
        List<List<String>> found = new ArrayList<>();
        for (Subcommand command : ServiceLoader.load(Subcommand.class)) {
            CommandLine line = new CommandLine(command);
            walk(line, List.of(line.getCommandName()), found);
        }
        return found;
    }

    private static void walk(CommandLine line, List<String> words, List<List<String>> found) {
        found.add(words);
        line.getSubcommands()
                .forEach((name, child) -> walk(
                        child, Stream.concat(words.stream(), Stream.of(name)).toList(), found));
    }

    @Test
    void allCommandsAreThere() {
        assertThat(commands())
                .filteredOn(words -> words.size() == 1)
                .extracting(words -> words.get(0))
                .containsExactlyInAnyOrderElementsOf(ALL_TOP);
        assertThat(commands()).contains(List.of("user", "passwd"), List.of("keys", "init"));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void helpHasAnExampleOfThatVeryCommand(List<String> words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] arguments = Stream.concat(words.stream(), Stream.of("--help")).toArray(String[]::new);

        int code = Hawser.run(
                ServiceLoader.load(Subcommand.class), Map.of(), new PrintWriter(out), new PrintWriter(err), arguments);

        assertThat(code).isZero();
        assertThat(err.toString()).isEmpty();
        String name = "hawser " + String.join(" ", words);
        assertThat(out.toString()).contains("Usage: " + name).containsPattern("Examples?: +" + name + "\\b");
    }

    /** The header of a command stands beside its name in 'hawser help'. */
    @Test
    void theListOfAllCommandsHasALineForEach() {
        for (Subcommand command : ServiceLoader.load(Subcommand.class)) {
            CommandLine line = new CommandLine(command);
            assertThat(line.getCommandSpec().usageMessage().header())
                    .as(line.getCommandName())
                    .hasSize(1)
                    .allSatisfy(header -> assertThat(header).hasSizeBetween(10, 62));
        }
    }
}
