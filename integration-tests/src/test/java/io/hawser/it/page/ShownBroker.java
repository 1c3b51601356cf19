package io.hawser.it.page;

import io.hawser.core.model.NamePattern;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.ops.event.HistoryHop;
import io.hawser.ops.event.HistoryPage;
import io.hawser.ops.event.HistoryQuery;
import io.hawser.ops.event.HistoryRow;
import io.hawser.ops.node.ForecastBoard;
import io.hawser.ops.observe.ForecastPage;
import io.hawser.ops.observe.Health;
import io.hawser.ops.observe.PrincipalLine;
import io.hawser.ops.observe.QuotaPage;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.ops.observe.WarningCode;
import io.hawser.ops.steer.SteeringAction;
import io.hawser.store.event.EventType;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A broker with something of everything: what moves, what is stuck, what failed, far ends that are owed, a forecast, a history.
 *
 * <p>Thread: any.
 */
final class ShownBroker {
    private static final long MIB = 1 << 20;
    private static final long GIB = 1 << 30;
    private static final String REPORT = "reports/quarter.pdf";
    private static final String AWAY = "its consumer is not connected";
    private static final int ENDED = 160;
    private static final long TOOK_MILLIS = 9_000;
    private static final int KEPT_ROWS = 40;

    private static final ForecastBoard.Space STORE =
            new ForecastBoard.Space("store", 31 * GIB, 211 * GIB, "site-c is away");

    private final long beganMillis = System.currentTimeMillis();

    /** The key of the transfer that moves and is shown in detail. */
    static String movingKey(long beganMillis) {
        return ShownTransfers.key(beganMillis - 42_000, 1);
    }

    String movingKey() {
        return movingKey(beganMillis);
    }

    ShownNode start(Path directory) throws IOException {
        Health health = Health.of(
                        true,
                        "broker",
                        Map.of(
                                "sessions",
                                4,
                                "store",
                                "is open",
                                "usedBytes",
                                31 * GIB,
                                "diskFreeBytes",
                                212 * GIB,
                                "acks",
                                "durable",
                                "tls",
                                "by BoringSSL"))
                .with(List.of(WarningCode.STALLED_SUBSCRIPTION.about(
                        "subscription site-c",
                        "2 accepted transfers have made no progress for 41 min (site-c: its consumer is not connected). Start its agent-b, or"
                                + " remove the cause that the reason names. 'hawser drop KEY' gives up one transfer")));
        return ShownNode.start(directory, this::find, health, pages(), List.of(SteeringAction.values()));
    }

    private Map<String, io.hawser.ops.observe.AdminPage.JsonPage> pages() {
        return Map.of(
                "/subscriptions",
                query -> List.of(
                        ShownNode.subscription("site-b", "site-b", 0, 3, 6 * GIB + 400 * MIB),
                        ShownNode.subscription("site-c", "site-c", 2_460_000, 2, 3 * GIB + 100 * MIB),
                        ShownNode.subscription("site-b", "archive", 0, 0, 0)),
                "/quotas",
                query -> new QuotaPage(
                        List.of(),
                        List.of(
                                principal("CN=agent-a.lab.example", 1, 0, 3),
                                principal("CN=site-b.example", 2, 1, 0),
                                principal("CN=archive.example", 1, 1, 0))),
                "/forecasts",
                query -> new ForecastPage("broker", List.of(ForecastBoard.line(STORE, 13_200, 16.4 * MIB))),
                "/why",
                query -> Map.of(
                        "node",
                        "broker",
                        "key",
                        query.getOrDefault("key", ""),
                        "hops",
                        List.of(why("publisher->broker"), why("broker->site-b"))),
                "/history",
                this::history);
    }

    private static PrincipalLine principal(String who, int sessions, int subscriptions, int open) {
        return new PrincipalLine(
                who,
                new PrincipalLine.Used(sessions, subscriptions, open, 0, 0, 0, 0, 0, sessions),
                new PrincipalLine.Limits(64, 64, 1000, 100, 32, 1000, 1000, 100, 10),
                0);
    }

    private static Map<String, Object> why(String hop) {
        boolean in = hop.startsWith("publisher");
        Map<String, Object> window = Map.of(
                "seconds",
                5,
                "bottleneck",
                in ? "client" : "window",
                "sentence",
                in
                        ? "The client sends as fast as it can: nothing here slows it."
                        : "The link is the limit: 4 streams fill their windows at a round trip of 38 ms.",
                "shares",
                List.of(
                        Map.of("stage", in ? "client" : "stream window", "share", 0.86),
                        Map.of("stage", "force", "share", 0.14)));
        Map<String, Object> minute = new HashMap<>(window);
        minute.put("seconds", 60);
        return Map.of("hop", hop, "windows", List.of(window, minute));
    }

    /** Without its times: what was before midnight is found in the first minutes of a day, too. */
    private HistoryPage history(Map<String, String> parameters) {
        HistoryQuery query = HistoryQuery.of(parameters);
        TransferKey key = query.key();
        NamePattern name = query.name();
        String topic = query.topic();
        List<HistoryRow> rows = ended().stream()
                .limit(KEPT_ROWS)
                .filter(each -> key == null || key.toString().equals(each.key()))
                .filter(each -> name == null || name.matches(each.object().name()))
                .filter(each -> topic == null || topic.equals(each.object().topic()))
                .filter(each -> !query.failedOnly() || !each.wasDelivered())
                .limit(query.limit())
                .map(ShownBroker::row)
                .toList();
        return new HistoryPage("broker", rows, null, 0);
    }

    private static HistoryRow row(TransferStatus each) {
        TransferId id = TransferKey.parse(each.key()).id();
        String began = Instant.ofEpochMilli(id.epochMillis()).toString();
        String ended = Instant.ofEpochMilli(id.epochMillis() + TOOK_MILLIS).toString();
        long size = each.object().sizeBytes();
        return new HistoryRow(
                id.epochMillis(), // grows with time, as the number of an event does
                each.key(),
                each.object().topic(),
                each.object().name(),
                each.object().kind(),
                size,
                each.state().equals("dead") ? EventType.DEAD_LETTERED.word() : each.state(),
                each.receipts().get(0).reason(),
                "daq",
                "10.4.0.17",
                began,
                ended,
                TOOK_MILLIS,
                0,
                size * 1000 / TOOK_MILLIS,
                "hts256-1048576:" + "9f2c41d0".repeat(8),
                each.hops().stream()
                        .map(hop -> new HistoryHop(hop.hop(), ended))
                        .toList());
    }

    /** What has ended, the newest first. */
    private List<TransferStatus> ended() {
        List<TransferStatus> all = new ArrayList<>();
        for (int i = 0; i < ENDED; i++) {
            all.add(ended(i));
        }
        return all;
    }

    private TransferStatus ended(int number) {
        String key = ShownTransfers.key(beganMillis - 60_000 - number * 20_000L, 100 + number);
        String run = "runs/2026/event-" + (2000 - number) + ".root";
        String calibration = "runs/2026/calib-" + number + ".root";
        long size = (300 + 37L * (number % 40)) * MIB;
        return switch (number) {
            case 3 -> ShownTransfers.dead(key, calibration, size, directoryAt(calibration));
            case 11 -> ShownTransfers.ended(key, run, size, "cancelled", "cancelled by operator at the broker");
            case 17 -> ShownTransfers.ended(key, calibration, size, "failed", "dropped by the operator");
            case 36 -> ShownTransfers.dead(key, REPORT, 4 * MIB, directoryAt(REPORT));
            default -> ShownTransfers.delivered(key, "site-b", run, size);
        };
    }

    private static String directoryAt(String name) {
        return "A directory stands at \"" + name + "\" at the destination, where the file should go. Move it away";
    }

    private List<TransferStatus> find(String text, int limit) {
        long now = System.currentTimeMillis();
        long millis = now - beganMillis;
        List<TransferStatus> all = new ArrayList<>();
        all.add(moving(
                beganMillis - 42_000,
                1,
                "runs/2026/event-2001.root",
                16 * GIB,
                2 * GIB,
                GIB,
                71 * MIB,
                64 * MIB,
                millis));
        all.add(moving(
                beganMillis - 9_000,
                2,
                "runs/2026/event-2002.root",
                9 * GIB,
                GIB,
                GIB / 2,
                33 * MIB,
                30 * MIB,
                millis));
        all.add(moving(
                beganMillis - 4_000,
                3,
                "detector/calibration/summary-with-a-long-name-that-does-not-fit.parquet",
                3 * GIB,
                0,
                0,
                12 * MIB,
                9 * MIB,
                millis));
        all.add(ShownTransfers.stuck(
                ShownTransfers.key(beganMillis - 2_460_000, 4),
                "site-c",
                "mirror/2026-11-27.tar",
                2 * GIB,
                AWAY,
                2_460_000 + millis));
        all.add(ShownTransfers.stuck(
                ShownTransfers.key(beganMillis - 2_000_000, 5),
                "site-c",
                "mirror/2026-11-28.tar",
                GIB + 100 * MIB,
                AWAY,
                2_000_000 + millis));
        all.addAll(ended());
        return all.stream()
                .filter(each ->
                        each.key().contains(text) || each.object().name().contains(text))
                .limit(limit)
                .toList();
    }

    private static TransferStatus moving(
            long began,
            int number,
            String name,
            long size,
            long here,
            long there,
            long inRate,
            long outRate,
            long millis) {
        // Faster and slower by turns, never backwards.
        double seconds = millis / 1000.0;
        double swing = 1.6 * Math.sin(seconds / 4 + number) + 0.3 * Math.sin(seconds * 1.3 + 2 * number);
        long in = here + (long) (inRate * (seconds + swing));
        long out = there + (long) (outRate * (seconds + swing * 0.8));
        return ShownTransfers.moving(ShownTransfers.key(began, number), "site-b", name, size, in, Math.min(in, out));
    }
}
