package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.common.testkit.FarServerProcess;
import io.hawser.it.harness.Chain.Part;
import io.hawser.it.harness.CommandRun;
import io.hawser.it.harness.Curl;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** agent-b in front of servers that are there already. */
class FarServersIT extends Scenario {
    @Test
    void vsftpdGetsTheFileAlthoughAgentBAndItselfAreKilledInTheMiddle() throws Exception {
        try (FarServerProcess server = FarServerProcess.vsftpd(directory.resolve("vsftpd"), "anon_max_rate=8000000")) {
            chain.into("ftp://127.0.0.1:" + server.port() + "/in").startAll();

            killBothOnTheWay(server, sample("big.bin", 40 * MIB, 1));
        }
    }

    @Test
    void globusGetsTheFileAlthoughAgentBAndItselfAreKilledInTheMiddle() throws Exception {
        try (FarServerProcess server = FarServerProcess.globus(directory.resolve("globus"))) {
            chain.into("gridftp://127.0.0.1:" + server.port() + server.root() + "/in")
                    .startAll();

            killBothOnTheWay(server, sample("big.bin", 400 * MIB, 1));
        }
    }

    @Test
    void vsftpdHasTheBeginningWhileTheUploadStillComesInAndIsAppendedTo() throws Exception {
        try (FarServerProcess server = FarServerProcess.vsftpd(directory.resolve("vsftpd"))) {
            chain.into("ftp://127.0.0.1:" + server.port() + "/in").startAll();

            killBothWhileItComesInAndAppend(server);
        }
    }

    @Test
    void pyftpdlibHasTheBeginningWhileTheUploadStillComesInAndIsAppendedTo() throws Exception {
        try (FarServerProcess server = FarServerProcess.pyftpdlib(directory.resolve("pyftpdlib"), 0)) {
            chain.into("ftp://127.0.0.1:" + server.port() + "/in").startAll();

            killBothWhileItComesInAndAppend(server);
        }
    }

    @Test
    void globusHasTheBeginningWhileTheUploadStillComesInAndIsAppendedTo() throws Exception {
        try (FarServerProcess server = FarServerProcess.globus(directory.resolve("globus"))) {
            chain.into("gridftp://127.0.0.1:" + server.port() + server.root() + "/in")
                    .startAll();

            killBothWhileItComesInAndAppend(server);
        }
    }

    /** A patch: the file there, and more behind it. */
    private void append(FarServerProcess server, Path base, Path there) throws Exception {
        Path more = sample("more.bin", 100_000, 5);
        upload(more, "sub/growing.bin", "--append");

        await("the patched file").until(() -> Files.size(there) > Files.size(base));
        ByteArrayOutputStream wanted = new ByteArrayOutputStream();
        Files.copy(base, wanted);
        Files.copy(more, wanted);
        assertThat(Files.readAllBytes(there)).isEqualTo(wanted.toByteArray());
        assertThat(files(server)).containsExactly(there);
    }

    private void killBothWhileItComesInAndAppend(FarServerProcess server) throws Exception {
        Path source = sample("growing.bin", 32 * MIB, 3);
        Path there = server.root().resolve("in/sub/growing.bin");
        try (Curl curl = Curl.uploadPart(chain.ftp(), source, "sub/growing.bin", 16 * MIB)) {
            awaitFarBytes(server, 12 * MIB);
            assertThat(files(server)).hasSize(1).doesNotContain(there);

            chain.kill(Part.AGENT_B);
            chain.start(Part.AGENT_B);
            server.kill();
            server.restart();
            curl.resume();
            assertThat(curl.await(LIMIT)).as(() -> complaints(curl)).isZero();
        }
        await("the file at the far server").until(() -> Files.exists(there));
        assertThat(Files.mismatch(source, there)).isEqualTo(-1);
        await("the receipt").until(() -> receipts("growing.bin", "delivered") == 1);
        assertThat(files(server)).containsExactly(there);
        append(server, source, there);
    }

    private void killBothOnTheWay(FarServerProcess server, Path source) throws Exception {
        upload(source, "sub/big.bin");
        Path there = server.root().resolve("in/sub/big.bin");

        awaitFarBytes(server, MIB);
        chain.kill(Part.AGENT_B);
        chain.start(Part.AGENT_B);
        awaitFarBytes(server, 4 * MIB);
        server.kill();
        server.restart();

        await("the file at the far server").until(() -> Files.exists(there));
        assertThat(Files.mismatch(source, there)).isEqualTo(-1);
        await("the receipt").until(() -> receipts("big.bin", "delivered") == 1);
        assertThat(files(server)).containsExactly(there);
    }

    /** Waits until some file of the server is that large. */
    private static void awaitFarBytes(FarServerProcess server, long bytes) {
        await("bytes at the far server")
                .pollInterval(java.time.Duration.ofMillis(5))
                .until(() -> {
                    for (Path file : files(server)) {
                        if (Files.size(file) >= bytes) {
                            return true;
                        }
                    }
                    return false;
                });
    }

    private static List<Path> files(FarServerProcess server) throws IOException {
        try (Stream<Path> paths = Files.walk(server.root())) {
            return paths.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void whatCannotBeDeliveredIsOnTheListUntilTheOperatorHasItTriedAgain() throws Exception {
        try (FarServerProcess server = FarServerProcess.vsftpd(directory.resolve("vsftpd"))) {
            server.kill();
            chain.into("ftp://127.0.0.1:" + server.port() + "/in")
                    .with(Part.AGENT_B, "--into-deadline", "1s")
                    .startAll();
            Path source = sample("small.bin", 1000, 2);
            upload(source, "small.bin");
            await("the dead letter").until(() -> dead("list").contains("small.bin"));
            assertThat(dead("list")).contains("cannot connect");

            chain.kill(Part.AGENT_B);
            chain.start(Part.AGENT_B);
            server.restart();
            assertThat(dead("retry", "--all")).contains("tried again", "small.bin");

            Path there = server.root().resolve("in/small.bin");
            await("the file at the far server").until(() -> Files.exists(there));
            assertThat(Files.mismatch(source, there)).isEqualTo(-1);
            assertThat(dead("list")).contains("no dead letters");
        }
    }

    @Test
    void aDroppedOneIsReportedToItsPublisher() throws Exception {
        try (FarServerProcess server = FarServerProcess.vsftpd(directory.resolve("vsftpd"))) {
            server.kill();
            chain.into("ftp://127.0.0.1:" + server.port() + "/in")
                    .with(Part.AGENT_B, "--into-deadline", "1s")
                    .startAll();
            upload(sample("small.bin", 1000, 2), "small.bin");
            await("the dead letter").until(() -> dead("list").contains("small.bin"));
            assertThat(receipts("small.bin", "failed")).isZero();

            assertThat(dead("drop", "--all")).contains("dropped", "small.bin");

            await("the receipt").until(() -> receipts("small.bin", "failed") == 1);
        }
    }

    private String dead(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("dead"));
        command.addAll(List.of(words));
        command.addAll(
                List.of("--admin", chain.admin(Part.AGENT_B).orElseThrow().toString()));
        return CommandRun.of(command.toArray(String[]::new)).succeeded().out();
    }
}
