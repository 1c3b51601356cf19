package io.hawser.it.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agentb.AgentB;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.ops.cli.Hawser;
import io.hawser.ops.cli.HawserCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The state directory of {@code hawser send} is damaged between a run that did not reach the broker and the next one: the file arrives whole, or
 * the command fails with a sentence that names the directory, and fsck finds damage too.
 */
class DamagedSendStateIT {
    private static final int SUCCESS = 0;
    /** fsck does not read it; the command does at each start. */
    private static final Path DESTINATION = Path.of("destination");

    @TempDir
    Path directory;

    private record Result(int code, String out, String err) {}

    private enum Damage {
        FLIP {
            @Override
            void to(Path file) throws IOException {
                byte[] bytes = Files.readAllBytes(file);
                int last = bytes.length - 1;
                while (last > 0 && bytes[last] == 0) { // logs are filled with zeros ahead of use
                    last--;
                }
                bytes[last / 2] ^= 0x10;
                Files.write(file, bytes);
            }
        },
        TRUNCATE {
            @Override
            void to(Path file) throws IOException {
                byte[] bytes = Files.readAllBytes(file);
                Files.write(file, Arrays.copyOf(bytes, bytes.length / 3));
            }
        },
        DELETE {
            @Override
            void to(Path file) throws IOException {
                Files.delete(file);
            }
        };

        abstract void to(Path file) throws IOException;
    }

    private static Result run(String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Hawser.run(
                ServiceLoader.load(HawserCommand.class), Map.of(), new PrintWriter(out), new PrintWriter(err), words);
        return new Result(code, out.toString(), err.toString());
    }

    private static List<Path> filesBelow(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(Files::isRegularFile)
                    .map(root::relativize)
                    .filter(path -> !path.endsWith("lock"))
                    .sorted()
                    .toList();
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        for (Path file : filesBelow(from)) {
            Path target = to.resolve(file);
            Files.createDirectories(target.getParent());
            Files.copy(from.resolve(file), target, StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    @Test
    @Invariant({InvariantName.HONEST_ANSWERS, InvariantName.REFUSE_DONT_CORRUPT})
    void whatIsDamagedIsSentWholeOrIsSaid() throws Exception {
        byte[] content = new byte[3_000_000];
        new Random(1).nextBytes(content);
        Path source = Files.write(directory.resolve("file"), content);
        Path prepared = directory.resolve("prepared");
        Path into = directory.resolve("into");
        try (LocalChain chain = new LocalChain(directory)) {
            chain.stopBroker();
            String broker = chain.address().toString();
            Result away = run(
                    "send",
                    "--broker",
                    broker,
                    "--state",
                    prepared.toString(),
                    "--to",
                    "site-b",
                    source.toString(),
                    "--connect-timeout",
                    "300ms");
            assertThat(away.code()).as(away.err()).isNotZero();
            chain.restartBroker();
            List<Path> kept = filesBelow(prepared);
            assertThat(kept).contains(DESTINATION, Path.of("node.id"));
            AgentB agentB = chain.agentB("site-b", "b", into);
            try {
                for (Path file : kept) {
                    for (Damage damage : Damage.values()) {
                        Path state =
                                directory.resolve(damage + "-" + file.toString().replace('/', '-'));
                        copy(prepared, state);
                        damage.to(state.resolve(file));
                        boolean checked = !file.equals(DESTINATION);
                        check(broker, state, source, content, into.resolve("file"), damage + " of " + file, checked);
                    }
                }
            } finally {
                agentB.stop();
            }
        }
    }

    private static void check(
            String broker, Path state, Path source, byte[] content, Path arrived, String what, boolean checked)
            throws IOException {
        Result found = run("fsck", state.toString());
        Files.deleteIfExists(arrived);
        Result sent = run(
                "send",
                "--broker",
                broker,
                "--state",
                state.toString(),
                "--to",
                "site-b",
                source.toString(),
                "--wait",
                "delivered",
                "--timeout",
                "60s");
        if (sent.code() == SUCCESS) {
            assertThat(arrived).as(what).hasBinaryContent(content);
        } else {
            assertThat(sent.err()).as(what).contains(state.toString());
            assertThat(checked && found.code() == SUCCESS)
                    .as("fsck after %s: %s", what, found.out())
                    .isFalse();
            assertThat(arrived).as(what).doesNotExist();
        }
    }
}
