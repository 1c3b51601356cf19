package io.hawser.ops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.Json;
import io.hawser.ops.steer.SteeringResult;
import io.hawser.ops.testkit.OnAdminServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CancelCommandTest extends OnAdminServer {
    private final List<Map<String, String>> asked = new ArrayList<>();

    private static SteeringResult.Changed changed(String now) {
        return new SteeringResult.Changed("1b4e-0193", "site-b", "a\u001b.bin", "committed", now);
    }

    private int cancel(SteeringResult answer, String... words) throws IOException {
        serve(Map.of(), Map.of("/transfers/cancel", query -> {
            asked.add(query);
            return new AdminPage.Answer(202, "application/json", Json.text(answer));
        }));
        return run(new CancelCommand(), "cancel", words);
    }

    private static SteeringResult result(String now) {
        return new SteeringResult(false, List.of(changed(now)), List.of());
    }

    @Test
    void whatIsCancelledIsASuccess() throws IOException {
        assertThat(cancel(result("cancelled"), "1b4e-0193", "1b4e-0194")).isZero();

        assertThat(asked).extracting(query -> query.get("key")).containsExactly("1b4e-0193", "1b4e-0194");
        assertThat(out.toString()).startsWith("cancelled: a?.bin on site-b (was committed) 1b4e-0193");
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void whatAFarEndMayHaveIsNotDoneYet() throws IOException {
        assertThat(cancel(result("cancelling"), "1b4e-0193")).isEqualTo(ExitCode.NOT_YET.code());

        assertThat(err.toString()).contains("1 of 1 may be at a far end");
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void whatIsSkippedIsNoSuccess() throws IOException {
        SteeringResult skipped = new SteeringResult(
                false, List.of(), List.of(new SteeringResult.Skipped("1b4e-0193", "it has ended: delivered")));

        assertThat(cancel(skipped, "1b4e-0193")).isEqualTo(ExitCode.REFUSED.code());
        assertThat(out.toString()).isEqualTo("skipped: 1b4e-0193: it has ended: delivered\n");
    }

    @Test
    void manyAreSelectedByTopicNameAndState() throws IOException {
        assertThat(cancel(result("would be cancelled"), "--topic", "t", "--name", "a/**", "--dry-run"))
                .isZero();

        assertThat(asked).containsExactly(Map.of("topic", "t", "name", "a/**", "state", "", "dryRun", "true"));
    }

    @Test
    void keysOrAFilterAreNeeded() throws IOException {
        assertThat(cancel(result("cancelled"))).isEqualTo(ExitCode.USAGE.code());
        assertThat(cancel(result("cancelled"), "1b4e-0193", "--topic", "t")).isEqualTo(ExitCode.USAGE.code());
        assertThat(asked).isEmpty();
    }
}
