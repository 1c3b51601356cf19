package io.hawser.agentb.deliver.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agentb.FarServerFixture;
import io.hawser.store.landing.VerifiedObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A target in front of a server. */
abstract class FarServerBase extends FarServerFixture {
    static final int MIB = 1 << 20;

    @SuppressWarnings("NullAway.Init") // see start
    TargetRig rig;

    TargetRig makeRig() throws Exception {
        return new TargetRig(directory.resolve("landing"), url());
    }

    String oddName() {
        return "-dé \u20ac.bin";
    }

    boolean computesChecksums() {
        return false;
    }

    @BeforeEach
    void start() throws Exception {
        rig = makeRig();
    }

    @AfterEach
    void stop() {
        if (rig != null) {
            rig.close();
        }
    }

    Path delivered(String name) {
        return server.root().resolve("in").resolve(name);
    }

    void assertSame(VerifiedObject object) throws IOException {
        Path there = delivered(object.manifest().name());
        assertThat(Files.mismatch(object.file(), there)).isEqualTo(-1);
        assertThat(temporaryFiles()).isEmpty();
    }

    Stream<Path> temporaryFiles() throws IOException {
        try (Stream<Path> files = Files.walk(server.root())) {
            return files.filter(file -> file.getFileName().toString().startsWith(".hawser")).toList().stream();
        }
    }

    static void awaitSize(Path file, long sizeBytes) {
        Awaitility.await()
                .pollInterval(java.time.Duration.ofMillis(2))
                .until(() -> Files.exists(file) && Files.size(file) >= sizeBytes);
    }
}
