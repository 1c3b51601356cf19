package io.hawser.agenta.testkit;

import io.hawser.core.tls.KeyDirectory;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.tls.OneWayTls;
import io.hawser.core.tls.Role;
import io.hawser.ops.keys.KeyMaker;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import javax.net.ssl.SSLContext;

/** Keys for a server of a test, and a client that trusts any. */
public final class TestTls {
    private TestTls() {}

    /** Fills {@code directory} with keys for 127.0.0.1 and localhost. */
    public static OneWayTls server(Path directory) throws Exception {
        new KeyMaker(Set.of("127.0.0.1", "localhost"), Duration.ofDays(1), Instant.now())
                .fill(new KeyDirectory(directory));
        return NodeTls.load(directory, Role.AGENT_A).openServerTls();
    }

    /** A client of one TLS version, such as {@code TLSv1.2}. */
    public static SSLContext client(String version) throws Exception {
        SSLContext context = SSLContext.getInstance(version);
        context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        return context;
    }
}
