package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.it.harness.CommandRun;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What nodes keep is for their own user, also under a umask that takes nothing away; what they deliver is as the umask says. */
class PrivateDataIT extends Scenario {
    private static final String[] UMASK = {"sh", "-c", "umask 000; exec \"$@\"", "sh"};

    @Test
    void filesOfNodesAreTheirOwnersAndDeliveredOnesAreNot() throws Exception {
        for (Part part : Part.values()) {
            chain.by(part, UMASK);
        }
        chain.startAll();
        Path large = sample("large", 5 * MIB, 1);
        Path small = sample("small", 100, 2);
        Path sent = sample("sent", 3 * MIB, 3);
        Path state = directory.resolve("state");
        upload(large, "a/large");
        upload(small, "a/small");
        CommandRun.of(
                        "send",
                        sent.toString(),
                        "--broker",
                        chain.brokerPtcp().toString(),
                        "--to",
                        "site-b",
                        "--state",
                        state.toString())
                .succeeded();
        awaitDelivered(large, "a/large");
        awaitDelivered(small, "a/small");
        awaitDelivered(sent, "sent");

        List<String> shared = new ArrayList<>(sharedBelow(state));
        for (Part part : Part.values()) {
            shared.addAll(sharedBelow(chain.data(part)));
        }
        try (Stream<Path> top = Files.list(chain.target())) {
            for (Path each : top.filter(path -> path.getFileName().toString().startsWith(".hawser"))
                    .toList()) {
                shared.addAll(sharedBelow(each));
            }
        }

        assertThat(shared).isEmpty();
        assertThat(mode(delivered("a"))).isEqualTo("rwxrwxrwx");
        assertThat(mode(delivered("a/large"))).isEqualTo("rw-rw-rw-");
        assertThat(mode(delivered("a/small"))).isEqualTo("rw-rw-rw-");
    }

    private static List<String> sharedBelow(Path root) throws IOException {
        List<String> shared = new ArrayList<>();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.toList()) {
                if (!mode(path).endsWith("------")) {
                    shared.add(mode(path) + " " + path);
                }
            }
        }
        return shared;
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
