package io.hawser.ops.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.config.HostPort;
import io.hawser.core.tls.KeyDirectory;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.tls.Role;
import io.hawser.ops.keys.KeyMaker;
import io.hawser.ops.observe.AdminGuard;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.AdminServer;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdminClientTest {
    private static final Map<String, AdminPage> PAGES = Map.of("/x", AdminPage.json(query -> query));

    private static NodeTls keys(Path directory, Role role) throws IOException {
        Set<String> hosts = Set.of("localhost", "127.0.0.1");
        new KeyMaker(hosts, Duration.ofDays(1), Instant.now()).fill(new KeyDirectory(directory));
        return NodeTls.load(directory, role);
    }

    private static String get(HostPort address, NodeTls tls) {
        byte[] body = new AdminClient(address, tls, TestTimes.LIMIT).get("/x", Map.of("a", "b c&d"));
        return new String(body, StandardCharsets.UTF_8);
    }

    @Test
    void loopbackIsReadInClearTextWithAndWithoutKeys(@TempDir Path directory) throws IOException {
        NodeTls tls = keys(directory, Role.CLIENT);
        try (AdminServer server = AdminServer.start(
                new HostPort("127.0.0.1", 0), PAGES, Map.of(), tls.jdkContext(), AdminGuard.DEFAULT)) {
            assertThat(get(server.address(), null)).contains("\"b c&d\"");
            assertThat(get(server.address(), tls)).contains("\"b c&d\"");
        }
    }

    @Test
    void beyondLoopbackThePagesAreForThoseWithACertificateOfTheCa(@TempDir Path own, @TempDir Path other)
            throws IOException {
        NodeTls tls = keys(own, Role.BROKER);
        NodeTls stranger = keys(other, Role.BROKER);
        try (AdminServer server =
                AdminServer.start(new HostPort("0.0.0.0", 0), PAGES, Map.of(), tls.jdkContext(), AdminGuard.DEFAULT)) {
            HostPort local = new HostPort("127.0.0.1", server.address().port());
            assertThat(get(local, NodeTls.load(own, Role.CLIENT))).contains("\"b c&d\"");
            assertThatThrownBy(() -> get(local, stranger)).isInstanceOf(CommandException.class);
            assertThatThrownBy(() -> get(local, null)).isInstanceOf(CommandException.class);
        }
    }
}
