package io.hawser.it.page;

import io.hawser.core.access.Access;
import io.hawser.core.config.HostPort;
import io.hawser.ops.audit.Audit;
import io.hawser.ops.observe.AdminGuard;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.AdminServer;
import io.hawser.ops.observe.AdminToken;
import io.hawser.ops.observe.Health;
import io.hawser.ops.observe.NodeMetrics;
import io.hawser.ops.observe.NodePages;
import io.hawser.ops.observe.SubscriptionStatus;
import io.hawser.ops.steer.SteeringAction;
import io.hawser.ops.steer.SteeringPages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/**
 * The admin pages of a broker that is none: they show what a test or a picture needs.
 *
 * <p>Thread: any.
 */
final class ShownNode implements AutoCloseable {
    static final String TOKEN = "0123456789abcdef0123456789abcdef";

    private final AdminServer server;
    private final ShownSteering steering;

    private ShownNode(AdminServer server, ShownSteering steering) {
        this.server = server;
        this.steering = steering;
    }

    /**
     * Starts it with what it knows.
     *
     * @param directory for the token's file
     * @param more pages by path, besides transfers, health and metrics
     * @param actions what it does with transfers
     */
    static ShownNode start(
            Path directory,
            NodePages.TransferSource transfers,
            Health health,
            Map<String, AdminPage.JsonPage> more,
            List<SteeringAction> actions)
            throws IOException {
        ShownSteering steering = ShownSteering.of(actions, transfers);
        NodePages pages = new NodePages(() -> health, new NodeMetrics()).transfers("broker", steering::find);
        more.forEach(pages::json);
        AdminServer server = AdminServer.start(
                new HostPort("127.0.0.1", 0),
                pages.pages(),
                new SteeringPages(steering, Audit.NONE, events -> {}).pages(),
                null,
                new AdminGuard(AdminToken.open(tokenFile(directory)), certificate -> Access.OPEN, Audit.NONE));
        return new ShownNode(server, steering);
    }

    /** Makes the file with {@link #TOKEN}. */
    static Path tokenFile(Path directory) throws IOException {
        Path token = directory.resolve("token");
        Files.writeString(token, TOKEN);
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        return token;
    }

    /** The changes that were asked for, as {@code PATH KEY}. */
    List<String> changes() {
        return List.copyOf(steering.changes());
    }

    String address() {
        return "http://" + server.address() + "/";
    }

    static SubscriptionStatus subscription(String topic, String name, long awayMillis, long transfers, long bytes) {
        return new SubscriptionStatus(
                topic,
                name,
                new SubscriptionStatus.Ownership("0f5a", "", 0, false),
                new SubscriptionStatus.Presence(awayMillis == 0, awayMillis),
                new SubscriptionStatus.Backlog(
                        transfers, bytes, transfers == 0 ? 0 : 2_460_000, transfers, bytes, 0, 0),
                new SubscriptionStatus.Terms(0, 0, 5),
                List.of());
    }

    @Override
    public void close() {
        server.close();
    }
}
