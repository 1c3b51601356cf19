package io.hawser.ops.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.access.Access;
import io.hawser.core.access.Grants;
import io.hawser.core.access.Identity;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LiveEventsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Access ONE_TOPIC = new Access(Identity.UNKNOWN, Grants.parse("list=mine"));

    private final LiveTable table = new LiveTable(LiveFeed.MAX_ROWS);
    private int samples;

    private static LiveRow row(String key, String topic, long in) {
        return new LiveRow(key, topic, "{\"key\":\"" + key + "\",\"in\":" + in + "}", in, 0);
    }

    private LiveSnapshot sample(LiveRow... rows) {
        samples++;
        return table.sample(List.of(rows), true, samples * 1000L, samples * SECOND);
    }

    private static List<String> sent(LiveEvents events, LiveSnapshot snapshot) {
        List<String> all = new ArrayList<>();
        if (events.begin(snapshot)) {
            while (!events.isAtEnd()) {
                all.add(events.next());
            }
        }
        return all;
    }

    @Test
    void firstEverythingThenWhatChanges() {
        LiveEvents events = new LiveEvents("broker", Access.OPEN);

        assertThat(sent(events, sample(row("n-1", "t", 1), row("n-2", "t", 2))))
                .containsExactly(
                        "event: snapshot\ndata: {\"node\":\"broker\",\"rates\":[[1000,0,0]]}\n\n",
                        "event: rows\ndata: [{\"key\":\"n-1\",\"in\":1},{\"key\":\"n-2\",\"in\":2}]\n\n",
                        "event: tick\ndata: {\"atEpochMillis\":1000,\"inBytesPerSecond\":0,\"outBytesPerSecond\":0}\n\n");
        assertThat(sent(events, sample(row("n-1", "t", 4))))
                .containsExactly(
                        "event: gone\ndata: [\"n-2\"]\n\n",
                        "event: rows\ndata: [{\"key\":\"n-1\",\"in\":4}]\n\n",
                        "event: tick\ndata: {\"atEpochMillis\":2000,\"inBytesPerSecond\":3,\"outBytesPerSecond\":0}\n\n");
    }

    @Test
    void viewerThatMissedSamplesGetsAllChangesOnce() {
        LiveEvents events = new LiveEvents("broker", Access.OPEN);
        sent(events, sample(row("n-1", "t", 1), row("n-2", "t", 1), row("n-3", "t", 1)));
        sample(row("n-1", "t", 2), row("n-2", "t", 1), row("n-3", "t", 1));
        LiveSnapshot latest = sample(row("n-1", "t", 2), row("n-3", "t", 9));

        assertThat(String.join("", sent(events, latest)))
                .contains("gone\ndata: [\"n-2\"]", "[{\"key\":\"n-1\",\"in\":2},{\"key\":\"n-3\",\"in\":9}]");
        assertThat(sent(events, latest)).as("the same again").isEmpty();
    }

    @Test
    void viewerThatMissedRemovalsBeginsAgain() {
        LiveEvents events = new LiveEvents("broker", Access.OPEN);
        sent(events, sample(row("n-1", "t", 1)));
        LiveSnapshot latest = sample();
        for (int i = 0; i < 5000; i++) {
            latest = sample(row("n-" + (i + 2), "t", 1));
        }

        assertThat(sent(events, latest).get(0)).startsWith("event: snapshot\n");
    }

    @Test
    void callerWithLimitedRightsGetsItsTopicsOnly() {
        LiveEvents events = new LiveEvents("broker", ONE_TOPIC);
        String first = String.join("", sent(events, sample(row("n-1", "mine", 1), row("n-2", "secret", 1))));
        sample(row("n-1", "mine", 6), row("n-2", "secret", 1000), row("n-3", "not a topic", 7));
        String second = String.join("", sent(events, sample(row("n-1", "mine", 8))));

        assertThat(first + second).contains("n-1").doesNotContain("n-2").doesNotContain("n-3");
        assertThat(first).as("totals of other topics").contains("\"rates\":[]");
        assertThat(second).contains("\"inBytesPerSecond\":2,");
    }

    @Test
    void manyRowsComeInSmallPieces() {
        LiveRow[] rows = IntStream.range(0, 10_000)
                .mapToObj(i -> row("n-" + (100_000 + i), "t", i))
                .toArray(LiveRow[]::new);
        List<String> pieces = sent(new LiveEvents("broker", Access.OPEN), sample(rows));

        assertThat(pieces.size()).isGreaterThan(10);
        assertThat(pieces).allSatisfy(piece -> assertThat(piece.length()).isLessThan(32 << 10));
    }
}
