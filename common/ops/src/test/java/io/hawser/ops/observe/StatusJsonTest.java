package io.hawser.ops.observe;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.ops.observe.TransferStatus.TransferredObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The JSON of status pages is flat, whatever records hold it, and pages of older nodes can be read. */
class StatusJsonTest {
    private static List<String> names(Object value) throws IOException {
        JsonNode tree = Json.tree(Json.bytes(value));
        return tree.properties().stream().map(each -> each.getKey()).toList();
    }

    private static <T> T read(String json, Class<T> type) throws IOException {
        return Json.read(json.getBytes(StandardCharsets.UTF_8), type);
    }

    @Test
    void transferIsFlat() throws IOException {
        HopStatus hop = new HopStatus("publisher->broker", "sending", new HopStatus.Bytes(1, 2, 3, 4, 5), "full", 6);
        TransferStatus transfer = new TransferStatus(
                "k", new TransferredObject("t", "n", "file", 7, 8), "receiving", 9, List.of(hop), List.of());

        assertThat(names(hop))
                .containsExactlyInAnyOrder(
                        "hop",
                        "state",
                        "durableBytes",
                        "sentBytes",
                        "resentBytes",
                        "creditBytes",
                        "reason",
                        "idleMillis",
                        "resentAckedBytes");
        assertThat(names(transfer))
                .containsExactlyInAnyOrder(
                        "key",
                        "topic",
                        "name",
                        "kind",
                        "sizeBytes",
                        "fragmentBytes",
                        "state",
                        "ageMillis",
                        "hops",
                        "receipts");
        assertThat(Json.read(Json.bytes(transfer), TransferStatus.class)).isEqualTo(transfer);
    }

    private static TransferStatus begunAt(long millis, String state) {
        String key = new TransferKey(new NodeId(1, 1), new TransferId(millis << 16, 1)).toString();
        return new TransferStatus(
                key, new TransferredObject("t", "n" + millis, "file", 1, 1), state, 0, List.of(), List.of());
    }

    /** Whatever became of them, and in whatever order the store has them. */
    @Test
    void newestTransferIsShownFirst() throws IOException {
        List<TransferStatus> kept = List.of(
                begunAt(5, "delivered"), begunAt(20, "receiving"), begunAt(7, "committed"), begunAt(11, "delivered"));
        AdminPage page = new NodePages(() -> Health.of(true, "n", Map.of()), new NodeMetrics())
                .transfers("n", (text, limit) -> kept)
                .pages()
                .get("/transfers");

        JsonNode shown = Json.tree(page.get(Map.of("limit", "3")).body().getBytes(StandardCharsets.UTF_8));

        assertThat(shown.path("transfers").findValuesAsText("name")).containsExactly("n20", "n11", "n7");
        assertThat(shown.path("truncated").asBoolean()).isTrue();
    }

    @Test
    void aSearchThatStoppedEarlySaysSo() throws IOException {
        NodePages.TransferSearch stopped =
                (text, caller, limit) -> new NodePages.FoundTransfers(List.of(begunAt(5, "committed")), 1_000);
        AdminPage page = new NodePages(() -> Health.of(true, "n", Map.of()), new NodeMetrics())
                .transfers("n", stopped, caller -> List.of())
                .pages()
                .get("/transfers");

        JsonNode shown = Json.tree(page.get(Map.of("key", "n")).body().getBytes(StandardCharsets.UTF_8));

        assertThat(shown.path("transfers")).hasSize(1);
        assertThat(shown.path("truncated").asBoolean()).isTrue();
        assertThat(shown.path("searched").asLong()).isEqualTo(1_000);
    }

    @Test
    void subscriptionAndMemberAreFlat() throws IOException {
        MemberStatus member = new MemberStatus(
                "w", "n", "CN=w", true, 1, new MemberStatus.Assigned(2, 3, 4), new MemberStatus.Delivered(5, 6));
        SubscriptionStatus subscription = new SubscriptionStatus(
                "t",
                "s",
                new SubscriptionStatus.Ownership("o", "CN=o", 1, true),
                new SubscriptionStatus.Presence(true, 2),
                new SubscriptionStatus.Backlog(3, 4, 5, 6, 7, 8, 9),
                new SubscriptionStatus.Terms(10, 11, 5),
                List.of(member));

        assertThat(names(member))
                .containsExactlyInAnyOrder(
                        "name",
                        "node",
                        "subject",
                        "connected",
                        "awayMillis",
                        "transfers",
                        "bytes",
                        "pinnedTransfers",
                        "deliveredTransfers",
                        "deliveredBytes");
        assertThat(names(subscription))
                .containsExactlyInAnyOrder(
                        "topic",
                        "name",
                        "owner",
                        "ownerSubject",
                        "ownedSinceEpochMillis",
                        "released",
                        "connected",
                        "pendingTransfers",
                        "pendingBytes",
                        "idleMillis",
                        "oldestMillis",
                        "heldTransfers",
                        "heldBytes",
                        "sinceEpochMillis",
                        "untilEpochMillis",
                        "deadlineMillis",
                        "maxRateBytesPerSecond",
                        "priority",
                        "members");
        assertThat(Json.read(Json.bytes(subscription), SubscriptionStatus.class))
                .isEqualTo(subscription);
    }

    @Test
    void principalIsFlat() throws IOException {
        PrincipalLine line = new PrincipalLine(
                "p",
                new PrincipalLine.Used(1, 2, 3, 4, 5, 6, 7, 16, 17),
                new PrincipalLine.Limits(8, 9, 10, 11, 12, 13, 14, 18, 19),
                15);

        assertThat(names(line))
                .containsExactlyInAnyOrder(
                        "who",
                        "sessions",
                        "limitSessions",
                        "subscriptions",
                        "limitSubscriptions",
                        "openTransfers",
                        "limitOpenTransfers",
                        "calls",
                        "limitCalls",
                        "buffers",
                        "limitBuffers",
                        "messages",
                        "limitMessages",
                        "records",
                        "limitRecords",
                        "refusals",
                        "limitRefusals",
                        "connects",
                        "limitConnects",
                        "timesSlowed");
        assertThat(Json.read(Json.bytes(line), PrincipalLine.class)).isEqualTo(line);
    }

    @Test
    void pagesOfOlderNodesLackFields() throws IOException {
        SubscriptionStatus subscription =
                read("{\"topic\":\"t\",\"name\":\"s\",\"owner\":\"o\",\"pendingBytes\":4}", SubscriptionStatus.class);
        assertThat(subscription.ownership().subject()).isEmpty();
        assertThat(subscription.backlog().pendingBytes()).isEqualTo(4);
        assertThat(subscription.terms().priority()).isZero();
        assertThat(subscription.members()).isEmpty();

        HopStatus hop = read("{\"hop\":\"h\",\"state\":\"sending\",\"sentBytes\":2}", HopStatus.class);
        assertThat(hop.bytes().sentBytes()).isEqualTo(2);
        assertThat(hop.reason()).isEmpty();
    }
}
