package io.hawser.ops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.PrincipalLine;
import io.hawser.ops.observe.QuotaLine;
import io.hawser.ops.observe.QuotaPage;
import io.hawser.ops.testkit.OnAdminServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QuotasCommandTest extends OnAdminServer {
    private String shown(List<QuotaLine> quotas, PrincipalLine... principals) throws IOException {
        serve(Map.of("/quotas", AdminPage.json(query -> new QuotaPage(quotas, List.of(principals)))), Map.of());
        assertThat(run(new QuotasCommand(), "quotas")).isZero();
        return out.toString();
    }

    @Test
    void eachQuotaIsALineWithItsBounds() throws IOException {
        assertThat(shown(List.of(
                        new QuotaLine("agent-a:berlin", List.of("b", "c.*"), 1 << 20, 1 << 19, 4 << 20, 3, 0),
                        new QuotaLine("*", List.of("*"), 0, 0, 0, 3, 10))))
                .isEqualTo("""
                agent-a:berlin on b,c.*  1.5 MiB of 4 MiB  3 transfers
                * on *  0 B  3 of 10 transfers
                """);
    }

    @Test
    void whatPrincipalsTakeIsShownBesideWhatTheyMay() throws IOException {
        assertThat(shown(
                        List.of(new QuotaLine("*", List.of("*"), 0, 0, 0, 3, 10)),
                        new PrincipalLine(
                                "agent-a:berlin",
                                new PrincipalLine.Used(1, 0, 3, 1, 2, 99, 7, 3, 1),
                                new PrincipalLine.Limits(256, 1000, 4096, 4096, 16, 50_000, 60_000, 2000, 20),
                                0),
                        new PrincipalLine(
                                "192.0.2.7",
                                new PrincipalLine.Used(8, 2, 0, 0, 0, 99, 7, 4, 8),
                                new PrincipalLine.Limits(8, 10, 9, 4096, 16, 500, 600, 70, 9),
                                5)))
                .isEqualTo("""
                * on *  0 B  3 of 10 transfers
                agent-a:berlin  1 of 256 sessions  0 of 1000 subscriptions  3 of 4096 open transfers  1 of 4096 calls  2 of 16 buffers  \
                at most 50000 messages, 60000 records, 2000 refusals and 20 connects a second
                192.0.2.7  8 of 8 sessions  2 of 10 subscriptions  0 of 9 open transfers  0 of 4096 calls  0 of 16 buffers  \
                at most 500 messages, 600 records, 70 refusals and 9 connects a second, slowed down 5 times
                """);
    }

    @Test
    void whereThereAreNoneItSaysWhatSetsThem() throws IOException {
        assertThat(shown(List.of())).contains("no quotas", "--acl");
    }
}
