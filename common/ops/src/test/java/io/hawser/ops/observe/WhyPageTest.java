package io.hawser.ops.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.hawser.core.access.Access;
import io.hawser.core.access.Grants;
import io.hawser.core.access.Identity;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.why.HopWait;
import io.hawser.core.why.WaitBoard;
import io.hawser.core.why.WaitStage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WhyPageTest {
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 1), new TransferId(1, 2));

    private final AdminPage page =
            Objects.requireNonNull(new NodePages(() -> Health.of(true, "broker", Map.of()), new NodeMetrics())
                    .why("broker", WhyPageTest::find)
                    .pages()
                    .get("/why"));

    private static Optional<NodePages.FoundWhy> find(TransferKey key) {
        HopWait wait = new HopWait("broker->b", WaitStage.SPACE, "the disk is full");
        return key.equals(KEY)
                ? Optional.of(new NodePages.FoundWhy(
                        "photos",
                        "a.bin",
                        List.of(WhyPage.HopWhy.of(wait.hop(), new WaitBoard().verdicts(wait, key, 1)))))
                : Optional.empty();
    }

    private WhyPage get(Caller caller) throws IOException {
        String body = page.get(Map.of("key", KEY.toString()), caller).body();
        return Json.read(body.getBytes(StandardCharsets.UTF_8), WhyPage.class);
    }

    @Test
    void eachHopHasTwoWindows() throws IOException {
        WhyPage why = get(Caller.OPERATOR);

        assertThat(why.node() + why.topic() + why.name()).isEqualTo("brokerphotosa.bin");
        assertThat(why.hops()).singleElement().satisfies(hop -> assertThat(hop.windows())
                .extracting(WhyPage.Window::seconds, WhyPage.Window::bottleneck)
                .containsExactly(tuple(5, "space"), tuple(60, "space")));
        assertThat(why.hops().get(0).windows().get(0).sentence())
                .startsWith("There is no space for it: the disk is full (100% of the last 5 s). ");
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void aCallerWithoutARightToItsTopicLearnsNothing() {
        Caller other = new Caller("other", new Access(Identity.UNKNOWN, Grants.NONE));

        assertThatThrownBy(() -> get(other)).hasMessageContaining("broker knows no transfer " + KEY);
    }

    @Test
    void whatIsNoKeyOrNotKnownIsSaidToBeSo() {
        assertThatThrownBy(() -> page.get(Map.of("key", "a.bin"))).hasMessageContaining("a transfer key is");
        assertThatThrownBy(() -> page.get(Map.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
