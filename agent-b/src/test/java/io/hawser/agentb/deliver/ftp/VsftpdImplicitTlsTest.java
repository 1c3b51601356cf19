package io.hawser.agentb.deliver.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarOptions.Timeouts;
import io.hawser.agentb.deliver.FarOptions.Tls;
import io.hawser.agentb.deliver.Secret;
import io.hawser.core.testkit.FarServerProcess;
import io.hawser.store.landing.DeliveryOutcome;
import io.hawser.store.landing.VerifiedObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Delivery to a real vsftpd that begins TLS with the first byte, as on port 990. */
class VsftpdImplicitTlsTest {
    private static final int MIB = 1 << 20;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    Path directory;

    @SuppressWarnings("NullAway.Init") // see start
    private FarServerProcess server;

    @BeforeEach
    void start() throws Exception {
        server = VsftpdTls.start(Files.createDirectories(directory.resolve("server")), "implicit_ssl=YES");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private TargetRig rig(boolean implicitTls, Duration connectTimeout) throws Exception {
        Optional<Path> authorities = Optional.of(directory.resolve("server").resolve("cert.pem"));
        FarOptions options = FarOptions.with(new Secret("a@b"))
                .withTimeouts(new Timeouts(connectTimeout, Timeouts.DEFAULT.silence()))
                .withTls(new Tls(implicitTls, authorities, false));
        return new TargetRig(directory.resolve("landing"), "ftps://127.0.0.1:" + server.port() + "/in", options);
    }

    private Path delivered(String name) {
        return server.root().resolve("in").resolve(name);
    }

    @Test
    void filesAndNamesArriveAndTheServersDeathCostsNothing() throws Exception {
        try (TargetRig rig = rig(true, Timeouts.DEFAULT.connect())) {
            VerifiedObject first = rig.object("a/first", 3 * MIB + 1);
            rig.deliver(first);
            assertThat(Files.mismatch(first.file(), delivered("a/first"))).isEqualTo(-1);

            server.kill();
            server.restart();
            VerifiedObject second = rig.object("a/first", 2 * MIB);
            rig.deliverInTheEnd(second);
            assertThat(Files.mismatch(second.file(), delivered("a/first"))).isEqualTo(-1);
        }
        assertThat(server.log()).contains("PROT P").doesNotContain("\"AUTH");
    }

    @Test
    void whoExpectsAGreetingInClearTextIsToldInTime() throws Exception {
        try (TargetRig rig = rig(false, Duration.ofSeconds(1))) {
            TargetRig.assertEnded(rig.attempt(rig.object("x", 10)), DeliveryOutcome.Later.class, "--into-implicit-tls");
            assertThat(server.log()).doesNotContain("USER").doesNotContain("PASS");
        }
    }
}
