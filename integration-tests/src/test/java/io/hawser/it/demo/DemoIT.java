package io.hawser.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.it.harness.CommandRun;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** {@code hawser demo} with a small file: real processes, real kills. */
class DemoIT {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path directory;

    @Test
    void everyNodeIsKilledAndTheBytesAreEqual() throws Exception {
        Path data = directory.resolve("demo");
        CommandRun demo = CommandRun.of(
                List.of("-Xmx128m", "-Dhawser.node.options=" + System.getProperty("hawser.node.options", "")),
                "demo",
                "--size",
                "32MiB",
                "--dir",
                data.toString());

        String said = demo.succeeded().out();
        assertThat(said)
                .containsSubsequence(
                        "KILL -9 agent-b, while it had",
                        "agent-b is back",
                        "KILL -9 broker, while it had",
                        "the client's final reply: 226 Transfer",
                        "KILL -9 agent-a, with",
                        "broker is back",
                        "agent-a is back",
                        "all three stopped in order after SIGTERM");
        assertThat(number(said, "\\((\\d+) bytes of 33554432 are not at the broker\\)"))
                .isPositive();
        Matcher digests =
                Pattern.compile("  sent {7}([0-9a-f]{64})\n  delivered  \\1\n").matcher(said);
        assertThat(digests.find()).as(said).isTrue();
        assertThat(said.substring(digests.end())).matches("""

                          agent-b killed at 25 % +\\S+ \\S+ re-sent to it \\(credit .+\\), back after .+ s *
                          broker killed at 60 % +\\S+ \\S+ re-sent to it \\(credit .+\\), back after .+ s *
                          agent-a killed after 226 +\\S+ \\S+ re-sent by it \\(credit .+\\), back after .+ s *

                        Equal\\. Every byte arrived\\.
                        """);
        assertThat(data).as("it leaves nothing behind").doesNotExist();
    }

    private static long number(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as(text).isTrue();
        return Long.parseLong(matcher.group(1));
    }
}
