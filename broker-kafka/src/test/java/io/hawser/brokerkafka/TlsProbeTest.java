package io.hawser.brokerkafka;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.common.storage.StorageException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TlsProbeTest {
    private static final Map<String, String> SAYS_TLS = Map.of("security.protocol", "SASL_SSL");

    /** A node that reads the question and answers with these bytes. */
    private static ServerSocket node(byte... answer) throws IOException {
        ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(() -> answer(listener, answer), "node");
        thread.setDaemon(true);
        thread.start();
        return listener;
    }

    private static void answer(ServerSocket listener, byte... answer) {
        try (Socket client = listener.accept()) {
            client.getInputStream().readNBytes(14);
            client.getOutputStream().write(answer);
        } catch (IOException e) {
            return; // the test has ended
        }
    }

    private static String at(ServerSocket node) {
        return "127.0.0.1:" + node.getLocalPort();
    }

    @Test
    void aNodeThatAnswersWithAnAlertWantsTls() throws Exception {
        try (ServerSocket tls = node((byte) 0x15, (byte) 3, (byte) 3, (byte) 0, (byte) 2)) {
            assertThatThrownBy(() -> TlsProbe.check(at(tls), Map.of()))
                    .isInstanceOf(StorageException.class)
                    .hasMessage("Kafka at " + at(tls) + " wants TLS: --kafka-properties has to say"
                            + " security.protocol=SSL or SASL_SSL, and not PLAINTEXT");
        }
    }

    @Test
    void aNodeThatAnswersInClearTextIsRight() throws Exception {
        try (ServerSocket clear = node((byte) 0, (byte) 0, (byte) 1, (byte) 0)) {
            assertThatCode(() -> TlsProbe.check(at(clear), Map.of())).doesNotThrowAnyException();
        }
    }

    @Test
    void whoSaysTlsIsNotAskedAndWhoDoesNotAnswerIsPassedOver() throws Exception {
        String nobody;
        try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = at(gone);
        }
        try (ServerSocket silent = node();
                ServerSocket tls = node((byte) 0x15)) {
            assertThatCode(() -> TlsProbe.check(at(tls), SAYS_TLS)).doesNotThrowAnyException();
            assertThatCode(() -> TlsProbe.check(nobody, Map.of())).doesNotThrowAnyException();
            assertThatThrownBy(() -> TlsProbe.check(nobody + "," + at(silent) + "," + at(tls), Map.of()))
                    .hasMessageContaining("wants TLS");
        }
    }
}
