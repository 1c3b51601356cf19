package io.hawser.it.page;

import io.hawser.core.access.Access;
import io.hawser.core.config.HostPort;
import io.hawser.ops.audit.Audit;
import io.hawser.ops.observe.AdminGuard;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.AdminServer;
import io.hawser.ops.observe.AdminToken;
import io.hawser.ops.observe.Health;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.NodeMetrics;
import io.hawser.ops.observe.NodePages;
import io.hawser.ops.observe.SubscriptionStatus;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.ops.steer.DeadLetterRetry;
import io.hawser.ops.steer.SteeringResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The admin pages of a broker that is none: they show what a test or a picture needs.
 *
 * <p>Thread: any.
 */
final class ShownNode implements AutoCloseable {
    static final String TOKEN = "0123456789abcdef0123456789abcdef";

    private static final int MOST = 1000;

    private final AdminServer server;
    private final NodePages.TransferSource transfers;
    private final Queue<String> changes = new ConcurrentLinkedQueue<>();

    private ShownNode(AdminServer server, NodePages.TransferSource transfers) {
        this.server = server;
        this.transfers = transfers;
    }

    /**
     * Starts it with what it knows.
     *
     * @param directory for the token's file
     * @param more pages by path, besides transfers, health and metrics
     * @param actions the paths that POST takes
     */
    static ShownNode start(
            Path directory,
            NodePages.TransferSource transfers,
            Health health,
            Map<String, AdminPage.JsonPage> more,
            List<String> actions)
            throws IOException {
        NodePages pages = new NodePages(() -> health, new NodeMetrics()).transfers("broker", transfers);
        more.forEach(pages::json);
        ShownNode[] node = new ShownNode[1];
        Map<String, AdminPage> does = new HashMap<>();
        actions.forEach(path -> does.put(path, query -> node[0].changed(path, query)));
        AdminServer server = AdminServer.start(
                new HostPort("127.0.0.1", 0),
                pages.pages(),
                does,
                null,
                new AdminGuard(AdminToken.open(tokenFile(directory)), certificate -> Access.OPEN, Audit.NONE));
        node[0] = new ShownNode(server, transfers);
        return node[0];
    }

    /** Makes the file with {@link #TOKEN}. */
    static Path tokenFile(Path directory) throws IOException {
        Path token = directory.resolve("token");
        Files.writeString(token, TOKEN);
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
        return token;
    }

    /** Does nothing to a transfer but note that it was asked to; leaves out what has ended, and says where a dead letter is retried. */
    private AdminPage.Answer changed(String path, Map<String, String> query) throws IOException {
        boolean dryRun = Boolean.parseBoolean(query.getOrDefault("dryRun", "false"));
        String word = path.substring(path.lastIndexOf('/') + 1);
        List<SteeringResult.Changed> done = new ArrayList<>();
        List<SteeringResult.Skipped> skipped = new ArrayList<>();
        for (TransferStatus each : meant(query)) {
            boolean isDead = word.equals("retry") && DeadLetterRetry.isFor(each);
            if (isDead) {
                skipped.add(new SteeringResult.Skipped(
                        each.key(), DeadLetterRetry.reason(each), DeadLetterRetry.command(each)));
            } else if (each.wasDelivered()) {
                skipped.add(new SteeringResult.Skipped(each.key(), "it has ended: delivered"));
            } else {
                done.add(new SteeringResult.Changed(
                        each.key(), each.object().topic(), each.object().name(), each.state(), "cancelled"));
                if (!dryRun) {
                    changes.add(path + " " + each.key());
                }
            }
        }
        return new AdminPage.Answer(
                skipped.isEmpty() ? 200 : 202,
                "application/json; charset=utf-8",
                Json.text(new SteeringResult(dryRun, done, skipped)));
    }

    private List<TransferStatus> meant(Map<String, String> query) throws IOException {
        String key = query.getOrDefault("key", query.getOrDefault("id", ""));
        if (key.isEmpty()) {
            return transfers.find("", MOST).stream()
                    .filter(each -> query.getOrDefault("topic", each.object().topic())
                            .equals(each.object().topic()))
                    .toList();
        }
        List<TransferStatus> found = new ArrayList<>();
        for (String each : key.split(",")) {
            found.addAll(transfers.find(each, 1));
        }
        return found;
    }

    /** The changes that were asked for, as {@code PATH KEY}. */
    List<String> changes() {
        return List.copyOf(changes);
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
