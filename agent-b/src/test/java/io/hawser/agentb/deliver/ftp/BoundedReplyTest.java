package io.hawser.agentb.deliver.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.agentb.deliver.Secret;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replies that would fill the heap. */
class BoundedReplyTest {
    private static final int MANY = BoundedReplyInputStream.MAX_REPLY_BYTES + 1;
    private static final String HELLO = "220 hello\r\n";

    private static FarFtpClient client(String says) {
        FarServer server = FarServer.parse("ftp://127.0.0.1:2100/in");
        FarFtpClient client = new FarFtpClient(server, FarOptions.with(new Secret("x")), LoginSecurity.NONE);
        client.setSocketFactory(new OneSocket(bytes(says)));
        return client;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void greetingIsBounded() {
        assertThatThrownBy(() -> client("220 " + "x".repeat(MANY) + "\r\n").open())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a reply of more than 128 KiB");
    }

    @ParameterizedTest
    @ValueSource(strings = {"an ordinary line of some words\r\n", "\r\n"})
    void replyOfManyLinesIsBounded(String line) {
        String reply = "200-" + line.repeat(MANY / line.length()) + "200 end\r\n";
        FarFtpClient client = client(HELLO + reply);

        assertThatThrownBy(() -> {
                    client.open(); // reads ahead
                    String unused = client.command("NOOP", null);
                })
                .hasMessageContaining("a reply of more than");
    }

    /** After AUTH the replies come from another stream. */
    @Test
    void replyOverReplacedConnectionIsBounded() throws IOException {
        FarFtpClient client = client(HELLO);
        client.open();
        ByteArrayInputStream secured = new ByteArrayInputStream(bytes("200 " + "x".repeat(MANY) + "\r\n"));
        client.replaceControl(client.control(), secured, OutputStream.nullOutputStream());

        assertThatThrownBy(() -> client.command("NOOP", null)).hasMessageContaining("a reply of more than");
    }

    @Test
    void boundIsForEachReplyAndNotForConnection() throws IOException {
        String reply = "200 " + "x".repeat(MANY / 4) + "\r\n";
        FarFtpClient client = client(HELLO + reply.repeat(20));
        client.open();

        for (int i = 0; i < 20; i++) {
            assertThat(client.command("NOOP", null)).hasSizeGreaterThan(MANY / 4);
        }
    }

    @Test
    void replyOfBlanksIsShownAtOnce() {
        String reply = "550 no\r\nway" + " ".repeat(1 << 20) + "x";

        assertTimeoutPreemptively(Duration.ofMinutes(1), () -> assertThat(FarRefusedException.shown(reply))
                .startsWith("550 no | way"));
    }
}
