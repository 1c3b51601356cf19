package io.hawser.ops.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoggersPageTest {
    private final LoggerContext context = new LoggerContext();
    private final LoggersPage page = new LoggersPage(context);

    private static List<LoggerLine> lines(AdminPage of, Map<String, String> query) throws IOException {
        return Json.readList(of.get(query).body().getBytes(StandardCharsets.UTF_8), LoggerLine.class);
    }

    @Test
    void aLevelHoldsForAllBelowUntilItIsInheritedAgain() throws IOException {
        var logger = context.getLogger("io.hawser.broker.Broker");
        context.getLogger("ROOT").setLevel(Level.INFO);

        assertThat(lines(page.change(), Map.of("name", "io.hawser.broker", "level", "debug")))
                .containsExactly(new LoggerLine("io.hawser.broker", "debug", "debug"));
        assertThat(logger.isDebugEnabled()).isTrue();
        assertThat(lines(page.show(), Map.of("name", "io.hawser.broker")))
                .contains(new LoggerLine("io.hawser.broker.Broker", "", "debug"));

        lines(page.change(), Map.of("name", "io.hawser.broker", "level", "inherit"));
        assertThat(logger.isDebugEnabled()).isFalse();
        assertThat(lines(page.show(), Map.of())).containsExactly(new LoggerLine("ROOT", "info", "info"));
    }

    @Test
    void neitherLoggersNorLevelsAreInvented() {
        assertThatThrownBy(() -> page.change().get(Map.of("name", "not.there", "level", "debug")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("there is no logger 'not.there'");
        assertThat(context.exists("not.there")).isNull();
        assertThatThrownBy(() -> page.change().get(Map.of("name", "ROOT", "level", "loud")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("level is one of");
        assertThatThrownBy(() -> page.change().get(Map.of("name", "ROOT", "level", "inherit")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ROOT has nothing to inherit");
    }
}
