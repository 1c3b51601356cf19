package io.hawser.broker.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.NodeMetrics;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StartupPagesTest {
    private final StartupPages start = new StartupPages();
    private final Map<String, AdminPage> pages = start.pages(new NodeMetrics());

    private AdminPage.Answer get(String path) throws IOException {
        AdminPage page = pages.get(path);
        assertThat(page).as(path).isNotNull();
        return page.get(Map.of());
    }

    @Test
    void whoOpensItsStoreIsNotWellYet() throws Exception {
        assertThat(get("/health").status()).isEqualTo(503);
        assertThat(get("/health").body()).contains("\"store\" : \"its store is opened\"");
        assertThat(get("/metrics").body()).contains("\nhawser_broker_serving 0.0\n");
    }

    @Test
    void whatIsWaitedForIsAWarning() throws Exception {
        start.waitsFor("nobody is there");

        assertThat(get("/health").status()).isEqualTo(503);
        assertThat(get("/health").body()).contains("\"code\" : \"store\"", "\"sentence\" : \"nobody is there\"");
        assertThat(get("/metrics").body()).contains("\nhawser_warnings{code=\"store\"} 1.0\n");

        start.begins();
        assertThat(get("/metrics").body()).contains("\nhawser_warnings{code=\"store\"} 0.0\n");
    }

    @Test
    void whoStandsByIsWellAndDoesNotServe() throws Exception {
        start.standsBy();

        assertThat(get("/health").status()).isEqualTo(200);
        assertThat(get("/health").body()).contains("it stands by until it is its turn");
        assertThat(get("/metrics").body()).contains("\nhawser_broker_serving 0.0\n");
        assertThat(get("/transfers").status()).isEqualTo(503);
        assertThat(get("/transfers").body())
                .isEqualTo("this broker does not serve: it stands by until it is its turn\n");
        assertThat(start.actions().get("/subscriptions/remove"))
                .satisfies(action -> assertThat(action.get(Map.of()).status()).isEqualTo(503));
    }
}
