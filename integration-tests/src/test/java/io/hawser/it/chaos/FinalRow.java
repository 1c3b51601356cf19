package io.hawser.it.chaos;

import io.hawser.ops.event.HistoryPage;
import io.hawser.ops.event.HistoryRow;
import io.hawser.ops.observe.Json;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the history of a node says of a transfer that has ended.
 *
 * @param sequence the number of the event that ended it
 * @param key the transfer's key; empty for a download
 */
record FinalRow(long sequence, String key, String name, String kind, long sizeBytes, String outcome) {
    private static final Duration TIMEOUT = TestTimes.scaled(Duration.ofSeconds(15));
    private static final String MOST = "1000";

    /** All rows of a node that runs. @throws IOException if the history does not have all events yet */
    static List<FinalRow> of(Member member) throws IOException {
        List<FinalRow> rows = new ArrayList<>();
        Map<String, String> query = new LinkedHashMap<>(Map.of("limit", MOST));
        while (true) {
            HistoryPage page = Json.read(Deployment.admin(member, TIMEOUT).get("/history", query), HistoryPage.class);
            if (page.notIndexed() > 0) {
                throw new IOException("the history of " + member.name() + " lacks " + page.notIndexed() + " events");
            }
            page.rows().forEach(row -> rows.add(of(row)));
            String next = page.next();
            if (next == null) {
                return rows;
            }
            query.put("before", next);
        }
    }

    private static FinalRow of(HistoryRow row) {
        return new FinalRow(row.sequence(), row.key(), row.name(), row.kind(), row.sizeBytes(), row.outcome());
    }

    boolean isDelivered() {
        return outcome.equals("delivered");
    }

    /** Whether it is about the content of a file that was sent. */
    boolean isOfContent() {
        return kind.equals("file") || kind.equals("message");
    }
}
