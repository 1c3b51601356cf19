package io.hawser.agentb.deliver.gsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What commands and replies are wrapped in; the tokens here are the text itself. */
class UnwrappingReplyInputStreamTest {
    private static String b64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String read(String wire) throws IOException {
        try (UnwrappingReplyInputStream replies = new UnwrappingReplyInputStream(
                new ByteArrayInputStream(wire.getBytes(StandardCharsets.UTF_8)), new OpenExchange())) {
            return new String(replies.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void linesAreJoinedInTheirOrder() throws Exception {
        String wire = "632-" + b64("211-Extensions\r\n") + "\r\n632-" + b64(" DCAU\r\n") + "\r\n631 "
                + b64("211 End.\r\n") + "\r\n633 " + b64("200 \u00e9\r\n") + "\n";

        assertThat(read(wire)).isEqualTo("211-Extensions\r\n DCAU\r\n211 End.\r\n200 \u00e9\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "226 Transfer complete.\r\n",
                "632 \r\n",
                "632 !!!\r\n",
                "634 aGFsbG8=\r\n",
                "632 aGFsbG8\r\n extra",
                "632 aGFsbG8",
                "632 IWE=\r\n",
                "\r\n"
            })
    void whatIsNotWrappedEndsTheConnection(String wire) {
        assertThatThrownBy(() -> read(wire)).isInstanceOf(IOException.class);
    }

    @Test
    void aReplyWithoutAnEndIsGivenUp() {
        assertThatThrownBy(() -> read("632 " + "A".repeat(1 << 20)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a reply line of more than");
    }

    @Test
    void eachCommandIsWrappedWhenItIsFlushed() throws Exception {
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        try (WrappedCommands commands = new WrappedCommands(wire, new OpenExchange())) {
            commands.write("NO".getBytes(StandardCharsets.UTF_8));
            commands.write("OP\r\n".getBytes(StandardCharsets.UTF_8));
            assertThat(wire.size()).isZero();
            commands.flush();
            commands.flush();
        }

        assertThat(wire).hasToString("ENC " + b64("NOOP\r\n") + "\r\n");
    }
}
