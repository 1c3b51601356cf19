package io.hawser.agentb.deliver.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarOptions.Tls;
import io.hawser.agentb.deliver.Secret;
import io.hawser.core.testkit.FarServerProcess;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.store.landing.DeliveryOutcome;
import io.hawser.store.landing.VerifiedObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Delivery to a real vsftpd that speaks only TLS and demands that data connections resume the control connection's session. */
class VsftpdTlsTest extends FarServerContract {
    @Override
    protected FarServerProcess startServer(Path in) throws Exception {
        return VsftpdTls.start(in);
    }

    @Override
    boolean setsModes() {
        return false;
    }

    @Override
    protected String url() {
        return "ftps://127.0.0.1:" + server.port() + "/in";
    }

    private FarOptions trusting(Optional<Path> authorities, boolean insecure) {
        return FarOptions.with(new Secret("a@b")).withTls(new Tls(false, authorities, insecure));
    }

    @Override
    TargetRig makeRig() throws Exception {
        return new TargetRig(
                directory.resolve("landing"),
                url(),
                trusting(Optional.of(directory.resolve("server").resolve("cert.pem")), false));
    }

    @Test
    void anUnknownCertificateIsRefusedBeforeThePasswordIsSent() throws Exception {
        try (TargetRig suspicious =
                new TargetRig(directory.resolve("other"), url(), trusting(Optional.empty(), false))) {
            TargetRig.assertEnded(
                    suspicious.attempt(suspicious.object("x", 10)), DeliveryOutcome.Later.class, "certification path");
            assertThat(server.log()).doesNotContain("USER").doesNotContain("PASS");
        }
    }

    @Test
    void severalLoginsAtOnceResumeEachTheirOwnSession() throws Exception {
        List<VerifiedObject> objects = new ArrayList<>();
        List<CompletableFuture<DeliveryOutcome>> attempts = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            objects.add(rig.object("at once/" + i, 300_000 + i));
        }
        for (VerifiedObject object : objects) {
            attempts.add(rig.begin(object));
        }

        for (int i = 0; i < objects.size(); i++) {
            assertThat(attempts.get(i).get(TestTimes.SECONDS, TimeUnit.SECONDS))
                    .isEqualTo(new DeliveryOutcome.Delivered(objects.get(i)));
        }
    }

    @Test
    void theOperatorMayDoWithoutTheCheck() throws Exception {
        try (TargetRig careless = new TargetRig(directory.resolve("other"), url(), trusting(Optional.empty(), true))) {
            careless.deliver(careless.object("careless", 10));
        }
    }
}
