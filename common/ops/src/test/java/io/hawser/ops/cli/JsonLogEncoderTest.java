package io.hawser.ops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import io.hawser.ops.observe.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class JsonLogEncoderTest {
    private final LoggerContext context = new LoggerContext();

    private LoggingEvent event(String message, Throwable cause) {
        return new LoggingEvent("", context.getLogger("io.hawser.a.B"), Level.WARN, message, cause, null);
    }

    @Test
    void fieldsStayFieldsAndNumbersNumbers() throws IOException {
        LoggingEvent event = event("it is slow", null);
        event.addKeyValuePair(new KeyValuePair("millis", 7));
        event.addKeyValuePair(new KeyValuePair("path", Path.of("/a")));

        JsonNode line = Json.tree(new JsonLogEncoder(false).encode(event));

        assertThat(line.path("level").asText()).isEqualTo("WARN");
        assertThat(line.path("logger").asText()).isEqualTo("io.hawser.a.B");
        assertThat(line.path("message").asText()).isEqualTo("it is slow");
        assertThat(line.at("/fields/millis").isNumber()).isTrue();
        assertThat(line.at("/fields/path").asText()).isEqualTo("/a");
        assertThat(line.path("time").asText()).matches("[0-9-]{10}T.*Z");
        assertThat(line.has("exception")).isFalse();
    }

    @Test
    void whateverPeersSayIsOneLineOfAscii() {
        byte[] line = new JsonLogEncoder(false)
                .encode(event("forged\nline \u001b[2J \u2028 \u00e9", new IOException("no\nway")));

        String text = new String(line, StandardCharsets.US_ASCII);
        assertThat(text).endsWith("}\n").contains("java.io.IOException: no\\nway");
        assertThat(text.stripTrailing().chars()).allMatch(c -> c >= 0x20 && c < 0x7f);
    }

    @Test
    void aStackTraceIsForDebuggingOnly() {
        LoggingEvent event = event("failed", new IllegalStateException("why", new IOException("deeper")));

        assertThat(new String(new JsonLogEncoder(false).encode(event), StandardCharsets.US_ASCII))
                .contains("caused by java.io.IOException: deeper")
                .doesNotContain("JsonLogEncoderTest");
        assertThat(new String(new JsonLogEncoder(true).encode(event), StandardCharsets.US_ASCII))
                .contains("JsonLogEncoderTest");
    }
}
