package io.hawser.ops.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.hawser.core.why.WaitStage;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.Health;
import io.hawser.ops.observe.HealthWarning;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.WarningCode;
import io.hawser.ops.observe.WhyPage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What the page of {@code hawser up} shows of the nodes that have no address of their own. */
class ProcessPagesTest {
    private static AdminPage why(String node, String hop, WaitStage stage) {
        return AdminPage.json((AdminPage.JsonPage) query -> {
            if (!query.getOrDefault("key", "").equals("k")) {
                throw new IllegalArgumentException(node + " knows no such transfer");
            }
            WhyPage.Window window = new WhyPage.Window(5, stage.code(), node + " waits", List.of());
            return WhyPage.of(node, "k", "t", "n", List.of(new WhyPage.HopWhy(hop, List.of(window))));
        });
    }

    private static AdminPage health(String node, boolean ok, String warning) {
        Health health = Health.of(ok, node, Map.of("node", node));
        Health shown = warning.isEmpty() ? health : health.with(List.of(WarningCode.STORE.about("disk", warning)));
        return query -> AdminPage.Answer.json(ok ? 200 : 503, shown);
    }

    private static <T> T read(AdminPage.Answer answer, Class<T> type) throws Exception {
        return Json.read(answer.body().getBytes(StandardCharsets.UTF_8), type);
    }

    private static AdminPage page(Map<String, AdminPage> pages, String path) {
        return Objects.requireNonNull(pages.get(path));
    }

    @Test
    void whyHasEachNodeThatKnowsTheTransferAndTheBottleneckOfAll() throws Exception {
        Map<String, AdminPage> pages = ProcessPages.with(
                Map.of("/why", why("broker", HopStatus.PUBLISHER_TO_BROKER, WaitStage.NO_INPUT)),
                List.of(
                        Map.of("/why", why("agent-a", HopStatus.CLIENT_TO_AGENT, WaitStage.CLIENT)),
                        Map.of("/why", AdminPage.json((AdminPage.JsonPage) query -> {
                            throw new IllegalArgumentException("agent-b knows no such transfer");
                        }))));

        WhyPage why = read(page(pages, "/why").get(Map.of("key", "k")), WhyPage.class);

        assertThat(why.node()).isEqualTo("broker");
        assertThat(why.others()).extracting(WhyPage::node).containsExactly("agent-a");
        assertThat(Objects.requireNonNull(why.bottleneck()).hop()).isEqualTo(HopStatus.CLIENT_TO_AGENT);
        assertThatThrownBy(() -> page(pages, "/why").get(Map.of("key", "other")))
                .hasMessageContaining("broker knows no such transfer");
    }

    /** Before the broker has heard of it, say. */
    @Test
    void whyOfWhatOnlyAnotherNodeKnowsIsThatNodes() throws Exception {
        Map<String, AdminPage> pages = ProcessPages.with(
                Map.of("/why", AdminPage.json((AdminPage.JsonPage) query -> {
                    throw new IllegalArgumentException("broker knows no such transfer");
                })),
                List.of(Map.of("/why", why("agent-a", HopStatus.CLIENT_TO_AGENT, WaitStage.CLIENT))));

        WhyPage why = read(page(pages, "/why").get(Map.of("key", "k")), WhyPage.class);

        assertThat(why.node()).isEqualTo("agent-a");
        assertThat(why.others()).isEmpty();
    }

    @Test
    void healthHasTheWarningsOfEachUnderItsName() throws Exception {
        Map<String, AdminPage> pages = ProcessPages.with(
                Map.of("/health", health("broker", true, "own")),
                List.of(
                        Map.of("/health", health("agent-a", true, "")),
                        Map.of("/health", health("agent-b", false, "full"))));

        AdminPage.Answer answer = page(pages, "/health").get(Map.of());

        Health health = read(answer, Health.class);
        assertThat(answer.status()).isEqualTo(503);
        assertThat(health.node()).isEqualTo("broker");
        assertThat(health.warnings())
                .extracting(HealthWarning::subject, HealthWarning::sentence)
                .containsExactly(tuple("disk", "own"), tuple("agent-b disk", "full"));
    }

    @Test
    void aPageThatOnlyAnotherNodeHasIsShownAndNoneIsReplaced() {
        AdminPage own = query -> AdminPage.Answer.json(200, "own");
        AdminPage other = query -> AdminPage.Answer.json(200, "other");

        Map<String, AdminPage> pages =
                ProcessPages.with(Map.of("/history", own), List.of(Map.of("/history", other, "/dead", other)));

        assertThat(pages).containsOnly(Map.entry("/history", own), Map.entry("/dead", other));
    }
}
