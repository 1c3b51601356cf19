package io.hawser.agentb;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.Outcome;
import io.hawser.core.meter.TransferCounts;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.transport.ConnectionState;
import io.hawser.ops.observe.Health;
import io.hawser.ops.observe.NodeMetrics;
import io.hawser.ops.observe.TransferCounters;
import io.hawser.store.landing.DeadLetter;
import io.hawser.store.landing.LandingState;
import io.hawser.store.landing.LandingStatus;
import io.hawser.store.landing.LandingTransferStatus;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AgentBPagesTest {
    private static final int COUNT = 1_500;

    private final List<LandingTransferStatus> waiting =
            IntStream.range(0, COUNT).mapToObj(AgentBPagesTest::waits).toList();

    private static LandingTransferStatus waits(int number) {
        TransferKey key = new TransferKey(new NodeId(1, 2), new TransferId(0x0199_0000_0000_0000L, number));
        return new LandingTransferStatus(
                key.toString(), "t", "n" + number, LandingState.VERIFIED, 5, 5, 1_000, 0, "", number * 1_000L, "");
    }

    private AgentBPages pages() {
        LandingStatus status =
                new LandingStatus("sub", "/landing", 0, 0, 0, 0, COUNT, (COUNT - 1) * 1_000L, 0, 0, 0, 0, "", 0, "");
        DeadLetterPages none = DeadLetterPages.of(new DeadLetterPages.Letters() {
            @Override
            public List<DeadLetter> list() {
                return List.of();
            }

            @Override
            public CompletableFuture<Outcome<TransferKey>> retry(TransferKey key) {
                throw new AssertionError();
            }

            @Override
            public CompletableFuture<Outcome<TransferKey>> drop(TransferKey key) {
                throw new AssertionError();
            }
        });
        NodeMetrics metrics = new NodeMetrics();
        AgentBMetrics now = new AgentBMetrics(
                TransferCounters.of(new TransferCounts()), status, 7, 0, Optional.of(new AgentBMetrics.Calls(3, 0, 9)));
        AgentBMetrics.add(metrics, () -> now, new ConnectionState());
        return new AgentBPages(
                () -> Health.of(true, "agent-b", Map.of()),
                metrics,
                () -> status,
                text -> waiting.stream()
                        .filter(each -> each.name().contains(text))
                        .toList(),
                key -> Optional.empty(),
                List::of,
                none);
    }

    private String get(String path, Map<String, String> query) throws IOException {
        return Objects.requireNonNull(pages().pages().get(path)).get(query).body();
    }

    @Test
    void pageSaysThatThereAreMoreThanItShows() throws Exception {
        assertThat(get("/transfers", Map.of("limit", "1400"))).containsPattern("\"truncated\" ?: ?true");
        assertThat(get("/transfers", Map.of("limit", "1500"))).containsPattern("\"truncated\" ?: ?false");
        assertThat(get("/transfers", Map.of("key", "n1499"))).contains("n1499");
    }

    @Test
    void metricsCountAllTransfers() throws Exception {
        assertThat(get("/metrics", Map.of()))
                .contains("hawser_landing_transfers 1500.0", "hawser_longest_idle_seconds{hop=\"in\"} 1499.0");
    }
}
