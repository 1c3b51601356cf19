package io.hawser.common.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.common.config.HostPort;
import io.hawser.common.observe.AdminPage;
import io.hawser.common.observe.AdminServer;
import io.hawser.common.observe.QuotaLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QuotasCommandTest {
    private static String shown(List<QuotaLine> quotas) throws IOException {
        StringWriter out = new StringWriter();
        AdminPage page = AdminPage.json(query -> quotas);
        try (AdminServer server =
                AdminServer.start(new HostPort("127.0.0.1", 0), Map.of("/quotas", page), Map.of(), null)) {
            int code = Hawser.run(
                    List.of(new QuotasCommand()),
                    Map.of(),
                    new PrintWriter(out),
                    new PrintWriter(new StringWriter(), true),
                    "quotas",
                    "--broker-admin",
                    server.address().toString());
            assertThat(code).isZero();
        }
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
    void whereThereAreNoneItSaysWhatSetsThem() throws IOException {
        assertThat(shown(List.of())).contains("no quotas", "--acl");
    }
}
