package io.hawser.ops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.TransferPage;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.ops.observe.WhyPage;
import io.hawser.ops.testkit.OnAdminServer;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WhyCommandTest extends OnAdminServer {
    private static final String KEY = "1b4e-0193";

    private static TransferStatus line(String key, String name, String state) {
        return new TransferStatus(
                key, new TransferStatus.TransferredObject("t", name, "file", 10, 10), state, 0, List.of(), List.of());
    }

    private int why(String what, WhyPage page, TransferStatus... lines) throws IOException {
        serve(
                Map.of(
                        "/transfers",
                                AdminPage.json(
                                        query -> new TransferPage("broker", Arrays.asList(lines), false, 0, List.of())),
                        "/why",
                                AdminPage.json(query -> {
                                    assertThat(query).containsEntry("key", KEY);
                                    return page;
                                })),
                Map.of());
        return run(new WhyCommand(), "why", what);
    }

    private static WhyPage page() {
        List<WhyPage.Share> shares = List.of(new WhyPage.Share("link", 0.92), new WhyPage.Share("no-input", 0.08));
        return WhyPage.of(
                "broker",
                KEY,
                "t",
                "a\u001b.bin",
                List.of(new WhyPage.HopWhy(
                        HopStatus.toSubscription("b"),
                        List.of(
                                new WhyPage.Window(5, "link", "The link takes no more.", shares),
                                new WhyPage.Window(60, "no-input", "All is sent.", shares)))));
    }

    @Test
    void theBottleneckIsNamedFirstThenTheHops() throws IOException {
        assertThat(why("a", page(), line(KEY, "a", "receiving")))
                .as(err.toString())
                .isZero();

        assertThat(out.toString().lines().map(String::stripTrailing))
                .containsExactly(
                        "a?.bin  t  " + KEY,
                        "bottleneck: broker->b, link (says broker)",
                        "  The link takes no more.",
                        "  broker->b                broker   5 s: link 92%, no-input 8%               60 s: link 92%, no-input 8%");
    }

    @Test
    void ofSeveralTheOneThatIsNotDeliveredIsMeant() throws IOException {
        assertThat(why("a", page(), line("x-1", "a", "delivered"), line(KEY, "a", "committed")))
                .isZero();
        assertThat(out.toString()).contains(KEY);
    }

    @Test
    void whatFitsSeveralOrNoneIsRefusedWithTheirKeys() throws IOException {
        assertThat(why("a", page(), line("x-1", "a1", "committed"), line("x-2", "a2", "committed")))
                .isEqualTo(ExitCode.FAILED.code());
        assertThat(err.toString()).contains("2 transfers fit 'a'", "x-1 (a1), x-2 (a2)");

        assertThat(why("zzz", page())).isEqualTo(ExitCode.FAILED.code());
        assertThat(err.toString()).contains("no transfer's key or name contains 'zzz'");
    }
}
