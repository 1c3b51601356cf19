package io.hawser.ops.event;

import io.hawser.store.event.EventType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Measures queries of a history of a million rows, or of {@code -Drows=N}; run by hand, with an empty directory as its argument. */
final class MillionRows {
    private static final int ROWS = Integer.getInteger("rows", 1_000_000);
    private static final int ROUNDS = 20;

    private MillionRows() {}

    public static void main(String[] arguments) throws Exception {
        Path directory = Files.createDirectories(Path.of(arguments[0]));
        try (EventRig rig = new EventRig(directory, EventRig.FOREVER)) {
            long beganNanos = System.nanoTime();
            for (int i = 1; i <= ROWS && rig.log.lastSequence() < ROWS; i++) {
                EventType type = i % 1000 == 0 ? EventType.FAILED : EventType.DELIVERED;
                String topic = "topic-" + i % 50;
                rig.log.happened(EventRig.event(type, i, topic, "dir-" + i % 1000 + "/file-" + i, "b", true, i));
                if (i % 5000 == 0) {
                    rig.log.awaitDurable();
                }
            }
            System.out.printf("recorded in %.1f s%n", (System.nanoTime() - beganNanos) / 1e9);
            while (rig.find(Map.of("limit", "1")).notIndexed() > 0) {
                Thread.sleep(1);
            }
            System.out.printf("indexed after %.1f s%n", (System.nanoTime() - beganNanos) / 1e9);
            String middle = rig.find(Map.of("name", "dir-" + ROWS / 2 % 1000 + "/file-" + ROWS / 2))
                    .rows()
                    .get(0)
                    .endedAt();
            measure(rig, "the newest", Map.of());
            measure(rig, "topic", Map.of("topic", "topic-7"));
            measure(rig, "failed", Map.of("failed", "true"));
            measure(rig, "failed of a topic", Map.of("failed", "true", "topic", "topic-0"));
            measure(rig, "exact name", Map.of("name", "dir-7/file-7007"));
            measure(rig, "name*", Map.of("name", "dir-77/*"));
            measure(rig, "name* of a topic", Map.of("name", "dir-77/file-1*", "topic", "topic-27"));
            measure(rig, "**name (common)", Map.of("name", "**7"));
            measure(rig, "**name (one in all)", Map.of("name", "**file-12345"));
            measure(rig, "until", Map.of("until", middle));
            measure(rig, "topic until", Map.of("until", middle, "topic", "topic-7"));
            measure(rig, "failed until", Map.of("until", middle, "failed", "true"));
        }
    }

    private static void measure(EventRig rig, String what, Map<String, String> query) throws Exception {
        List<Double> millis = new ArrayList<>();
        int rows = 0;
        for (int i = 0; i < ROUNDS; i++) {
            long beganNanos = System.nanoTime();
            rows = rig.find(query).rows().size();
            millis.add((System.nanoTime() - beganNanos) / 1e6);
        }
        double first = millis.get(0);
        millis.sort(null);
        System.out.printf(
                "%-22s %4d rows: first %7.1f ms, median %7.1f ms, worst %7.1f ms%n",
                what, rows, first, millis.get(ROUNDS / 2), millis.get(ROUNDS - 1));
    }
}
