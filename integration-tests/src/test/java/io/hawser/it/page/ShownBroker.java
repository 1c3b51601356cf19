package io.hawser.it.page;

import io.hawser.ops.observe.Health;
import io.hawser.ops.observe.PrincipalLine;
import io.hawser.ops.observe.QuotaPage;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.ops.observe.WarningCode;
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
    static final List<String> ACTIONS = List.of(
            "/transfers/cancel",
            "/transfers/retry",
            "/transfers/drop",
            "/transfers/hold",
            "/transfers/release",
            "/transfers/priority");

    private static final long MIB = 1 << 20;
    private static final long GIB = 1 << 30;
    private static final String AWAY = "its consumer is not connected";
    private static final String FULL = "the far end has it and cannot deliver it: no space left on device";

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
        return ShownNode.start(directory, this::find, health, pages(), ACTIONS);
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
                query -> Map.of(
                        "node",
                        "broker",
                        "forecasts",
                        List.of(Map.of(
                                "resource", "store",
                                "sentence",
                                        "The store is full in 3 h 40 min at this rate, because site-c is away; it holds 3.1 GiB for it.",
                                "secondsLeft", 13_200,
                                "because", "site-c"))),
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

    private Map<String, Object> history(Map<String, String> query) {
        boolean failed = query.getOrDefault("failed", "").equals("true");
        String name = query.getOrDefault("name", "").replace("*", "");
        List<Map<String, Object>> rows = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            boolean bad = i == 3 || i == 17;
            String shown = bad ? "runs/2026/calib-" + i + ".root" : "runs/2026/event-" + (2000 - i) + ".root";
            if ((!failed || bad) && shown.contains(name)) {
                rows.add(row(i, shown, bad));
            }
        }
        Map<String, Object> page = new HashMap<>();
        page.put("node", "broker");
        page.put("rows", rows);
        page.put("next", null);
        return page;
    }

    private Map<String, Object> row(int number, String name, boolean bad) {
        long ended = beganMillis - 20_000L * (number + 1);
        long size = (300 + 37L * number) * MIB;
        Map<String, Object> row = new HashMap<>();
        row.put("sequence", 9000 - number);
        row.put("key", ShownTransfers.key(ended - 9_000, 100 + number));
        row.put("topic", "site-b");
        row.put("name", name);
        row.put("kind", "file");
        row.put("sizeBytes", size);
        row.put("outcome", bad ? "failed" : "delivered");
        row.put("reason", bad ? "site-b: the directory of this name is a file there" : "");
        row.put("who", "daq");
        row.put("from", "10.4.0.17");
        row.put("startedAt", Instant.ofEpochMilli(ended - 9_000).toString());
        row.put("endedAt", Instant.ofEpochMilli(ended).toString());
        row.put("durationMillis", 9_000);
        row.put("resentBytes", 0);
        row.put("bytesPerSecond", size / 9);
        row.put("digest", "9f2c41d0");
        row.put(
                "hops",
                List.of(
                        Map.of(
                                "hop",
                                "publisher->broker",
                                "endedAt",
                                Instant.ofEpochMilli(ended - 2_000).toString()),
                        Map.of(
                                "hop",
                                "broker->site-b",
                                "endedAt",
                                Instant.ofEpochMilli(ended).toString())));
        return row;
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
        all.add(ShownTransfers.dead(
                ShownTransfers.key(beganMillis - 900_000, 6), "site-b", "reports/quarter.pdf", 4 * MIB, FULL));
        for (int i = 0; i < 160; i++) {
            all.add(ShownTransfers.delivered(
                    ShownTransfers.key(beganMillis - 60_000 - i * 20_000L, 100 + i),
                    "site-b",
                    "runs/2026/event-" + (2000 - i) + ".root",
                    (300 + 37L * (i % 40)) * MIB));
        }
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
