package io.hawser.ops.steer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.access.Access;
import io.hawser.core.access.Grants;
import io.hawser.core.access.Identity;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.Caller;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.ReceiptLine;
import io.hawser.ops.observe.TransferStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Who may steer what, what is told of it, and what is audited. */
class SteeringPagesTest {
    private final Map<String, TransferStatus> known = new LinkedHashMap<>();
    private final List<String> audited = new ArrayList<>();
    private final List<SteeringCommand> applied = new ArrayList<>();
    private String after = "cancelled";
    private String problem = "";

    private final TransferSteering node = new TransferSteering() {
        @Override
        public List<SteeringAction> actions() {
            return List.of(SteeringAction.CANCEL, SteeringAction.PRIORITY);
        }

        @Override
        public List<TransferStatus> find(SteeringFilter filter, int limit) {
            return known.values().stream().filter(filter::means).limit(limit).toList();
        }

        @Override
        public Optional<String> whyNot(SteeringAction action, TransferStatus status) {
            if (DeadLetterRetry.isFor(status)) {
                return Optional.of(DeadLetterRetry.reason(status));
            }
            return status.state().equals("delivered") ? Optional.of("it has ended: delivered") : Optional.empty();
        }

        @Override
        public String commandElsewhere(SteeringAction action, TransferStatus status) {
            return DeadLetterRetry.isFor(status) ? DeadLetterRetry.command(status) : "";
        }

        @Override
        public CompletionStage<Map<String, String>> apply(SteeringCommand command, List<String> keys) {
            applied.add(command);
            Map<String, String> results = new LinkedHashMap<>();
            for (String key : keys) {
                results.put(key, problem);
                if (problem.isEmpty()) {
                    add(key, Objects.requireNonNull(known.get(key)).object().topic(), key, after);
                }
            }
            return CompletableFuture.completedFuture(results);
        }
    };

    private final Map<String, AdminPage> pages = new SteeringPages(
                    node,
                    (who, what, object, from, result) -> audited.add(who + " " + what + " " + object + " " + result),
                    event -> {},
                    Duration.ofMillis(1))
            .pages();

    private void add(String key, String topic, String name, String state) {
        known.put(
                key,
                new TransferStatus(
                        key,
                        new TransferStatus.TransferredObject(topic, name, "file", 5, 5),
                        state,
                        0,
                        List.of(),
                        state.equals("dead") ? List.of(new ReceiptLine("site-b", state, "", 0)) : List.of()));
    }

    private AdminPage.Answer ask(String path, Map<String, String> query, Caller caller) throws IOException {
        return Objects.requireNonNull(pages.get(path))
                .answer(query, caller, Runnable::run)
                .toCompletableFuture()
                .join();
    }

    private SteeringResult cancel(Map<String, String> query, Caller caller, int status) throws IOException {
        AdminPage.Answer answer = ask("/transfers/cancel", query, caller);
        assertThat(answer.status()).isEqualTo(status);
        return Json.read(answer.body().getBytes(StandardCharsets.UTF_8), SteeringResult.class);
    }

    private static Caller with(String grants) {
        return new Caller("bob", new Access(Identity.UNKNOWN, Grants.parse(grants)));
    }

    @Test
    void oneIsCancelledAndAuditedWithItsCaller() throws IOException {
        add("k1", "t", "a", "committed");

        SteeringResult result = cancel(Map.of("key", "k1"), Caller.OPERATOR, 200);

        assertThat(result.changed())
                .containsExactly(new SteeringResult.Changed("k1", "t", "a", "committed", "cancelled"));
        assertThat(audited).containsExactly("operator cancel t/a k1 ok");
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void whatHasEndedOrIsNotDoneIsSkippedWithTheReason() throws IOException {
        add("k1", "t", "a", "delivered");
        assertThat(cancel(Map.of("key", "k1"), Caller.OPERATOR, 202).skipped())
                .containsExactly(new SteeringResult.Skipped("k1", "it has ended: delivered"));

        add("k2", "t", "b", "committed");
        problem = "the disk failed";
        assertThat(cancel(Map.of("key", "k2"), Caller.OPERATOR, 202).skipped())
                .containsExactly(new SteeringResult.Skipped("k2", "the disk failed"));
        assertThat(audited).containsExactly("operator cancel t/b k2 the disk failed");
    }

    @Test
    void manyAreFoundByTopicNameAndStateAndADryRunChangesNothing() throws IOException {
        add("k1", "t", "d/a", "committed");
        add("k2", "t", "d/b", "failed");
        add("k3", "t", "e", "committed");
        add("k4", "u", "d/a", "committed");

        SteeringResult result = cancel(
                Map.of("topic", "t", "name", "d/*", "state", "committed", "dryRun", "true"), Caller.OPERATOR, 200);

        assertThat(result.dryRun()).isTrue();
        assertThat(result.changed())
                .containsExactly(new SteeringResult.Changed("k1", "t", "d/a", "committed", "would be cancelled"));
        assertThat(applied).isEmpty();
        assertThat(audited).isEmpty();
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void aCallerNeedsTheRightToEachTopicAndSeesNoOther() throws IOException {
        add("k1", "mine", "a", "committed");
        add("k2", "seen", "b", "committed");
        add("k3", "secret", "c", "committed");

        SteeringResult result = cancel(Map.of("state", "committed"), with("admin=mine list=seen"), 202);

        assertThat(result.changed()).extracting(SteeringResult.Changed::key).containsExactly("k1");
        assertThat(result.skipped()).extracting(SteeringResult.Skipped::key).containsExactly("k2");
        assertThatThrownBy(() -> cancel(Map.of("key", "k3"), with("admin=mine"), 400))
                .hasMessageContaining("knows no transfer k3");
    }

    @Test
    void severalAreGivenByTheirKeysAndUnknownOnesAreSkipped() throws IOException {
        add("k1", "t", "a", "committed");
        add("k2", "t", "b", "committed");

        SteeringResult result = cancel(Map.of("key", "k1,k3,k2,k1"), Caller.OPERATOR, 202);

        assertThat(result.changed()).extracting(SteeringResult.Changed::key).containsExactly("k1", "k2");
        assertThat(result.skipped()).containsExactly(new SteeringResult.Skipped("k3", "this node does not know it"));
        assertThatThrownBy(() -> cancel(Map.of("key", "k1,,k2"), Caller.OPERATOR, 400))
                .hasMessageContaining("1 to 128 keys");
    }

    @Test
    void aDeadLetterIsSkippedWithTheCommandThatRetriesIt() throws IOException {
        add("k1", "t", "a", "dead");

        SteeringResult.Skipped skipped = cancel(Map.of("key", "k1", "dryRun", "true"), Caller.OPERATOR, 202)
                .skipped()
                .get(0);

        assertThat(skipped.command()).isEqualTo("hawser retry k1 --admin 127.0.0.1:7482");
        assertThat(skipped.reason())
                .isEqualTo("it is on the dead-letter list of site-b: on that machine run '" + skipped.command()
                        + "', with another address if that agent-b has another --admin");
    }

    @Test
    void badRequestsAreRefusedWithASentence() {
        assertThatThrownBy(() -> cancel(Map.of(), Caller.OPERATOR, 400)).hasMessageContaining("which transfers?");
        assertThatThrownBy(() -> cancel(Map.of("key", "k", "topic", "t"), Caller.OPERATOR, 400))
                .hasMessageContaining("not both");
        assertThatThrownBy(() -> ask("/transfers/priority", Map.of("key", "k", "to", "10"), Caller.OPERATOR))
                .hasMessageContaining("1 (last) to 9 (first)");
        for (int i = 0; i <= SteeringPages.MOST; i++) {
            add("k" + i, "t", "n", "committed");
        }
        assertThatThrownBy(() -> cancel(Map.of("topic", "t"), Caller.OPERATOR, 400))
                .hasMessageContaining("more than 10000");
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void oneThatAFarEndMayHaveIsNotDoneYet() throws IOException {
        add("k1", "t", "a", "committed");
        after = "cancelling";

        assertThat(cancel(Map.of("key", "k1"), Caller.OPERATOR, 202).changed())
                .extracting(SteeringResult.Changed::now)
                .containsExactly("cancelling");
    }
}
