package io.hawser.ops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.model.SubscriptionTerms;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.SubscriptionStatus;
import io.hawser.ops.testkit.OnAdminServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SubscriptionsCommandTest extends OnAdminServer {
    private static final SubscriptionStatus.Terms USUAL_TERMS =
            new SubscriptionStatus.Terms(0, 0, SubscriptionTerms.USUAL_PRIORITY);
    private static final SubscriptionStatus HERE = new SubscriptionStatus(
            "site-b",
            "b",
            new SubscriptionStatus.Ownership("aa", "", 0, false),
            new SubscriptionStatus.Presence(true, 0),
            new SubscriptionStatus.Backlog(0, 0, 0, 0, 0, 0, 0),
            USUAL_TERMS,
            List.of());
    private static final SubscriptionStatus AWAY = new SubscriptionStatus(
            "site-b",
            "old",
            new SubscriptionStatus.Ownership("bb", "CN=bb,OU=agent-b", 3_000, false),
            new SubscriptionStatus.Presence(false, 7_200_000),
            new SubscriptionStatus.Backlog(12, 3L << 30, 8_000_000, 10, 2L << 30, 60_000, 0),
            USUAL_TERMS,
            List.of());

    private final List<Map<String, String>> asked = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        AdminPage list = AdminPage.json(query -> {
            asked.add(new TreeMap<>(query));
            return List.of(HERE, AWAY);
        });
        AdminPage remove = AdminPage.json(query -> {
            asked.add(new TreeMap<>(query));
            if (query.getOrDefault("name", "").equals("b")) {
                throw new IllegalArgumentException("subscription b is in use by node aa; stop that consumer first");
            }
            return AWAY;
        });
        serve(
                Map.of("/subscriptions", list),
                Map.of("/subscriptions/remove", remove, "/subscriptions/release", remove));
    }

    private int run(String... words) {
        return run(new SubscriptionsCommand(), "subscriptions", words);
    }

    @Test
    void listShowsWhoIsThereAndWhatWaits() {
        assertThat(run("list")).isZero();
        assertThat(out.toString())
                .contains("site-b  b  connected  is owed nothing\n")
                .containsPattern(
                        "site-b  old  away since \\d{4}-\\S+Z  is owed 12 transfers, 3 GiB, the oldest 2 h old\n"
                                + "    owned by CN=bb,OU=agent-b since 1970-01-01T00:00:03Z\n"
                                + "    they wait since 1970-01-01T00:01:00Z, until it has them or is removed;"
                                + " kept for it alone: 10 transfers, 2 GiB\n");
    }

    @Test
    void withoutAWordItLists() {
        assertThat(run()).isZero();
        assertThat(run("--topic", "site-b")).isZero();
        assertThat(asked).containsExactly(Map.of(), Map.of("topic", "site-b"));
    }

    @Test
    void listOfATopicIsAskedForAndCanBeJson() {
        assertThat(run("list", "--topic", "site-b", "--json")).isZero();
        assertThat(asked).containsExactly(Map.of("topic", "site-b"));
        assertThat(out.toString()).contains("\"oldestMillis\" : 8000000").startsWith("[");
    }

    @Test
    void removeSaysWhatIsGone() {
        assertThat(run("remove", "old", "--topic", "site-b")).isZero();
        assertThat(asked).containsExactly(Map.of("name", "old", "topic", "site-b"));
        assertThat(out.toString()).isEqualTo("removed: old on site-b, which was owed 12 transfers, 3 GiB\n");
    }

    @Test
    void releaseSaysWhoOwnsItNext() {
        assertThat(run("release", "old")).isZero();
        assertThat(asked).containsExactly(Map.of("name", "old"));
        assertThat(out.toString()).isEqualTo("released: old on site-b; the next consumer that may subscribe owns it\n");
        assertThat(run("release", "b")).isEqualTo(4);
        assertThat(run("release", "old", "w1")).isEqualTo(2);
        assertThat(run("release")).isEqualTo(2);
    }

    @Test
    void aRefusalIsExitCode4AndTheBrokersSentence() {
        assertThat(run("remove", "b")).isEqualTo(4);
        assertThat(err.toString()).contains("in use by node aa; stop that consumer first");
    }

    @Test
    void aWrongCommandLineIsExitCode2AndAsksNobody() {
        assertThat(run("remove")).isEqualTo(2);
        assertThat(run("list", "old")).isEqualTo(2);
        assertThat(run("drop", "old")).isEqualTo(2);
        assertThat(asked).isEmpty();
    }
}
