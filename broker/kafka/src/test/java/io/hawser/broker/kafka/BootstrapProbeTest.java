package io.hawser.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.broker.store.local.LocalStoreConfig;
import io.hawser.store.storage.RemoteStoreException;
import io.hawser.store.storage.RemoteStoreUnavailableException;
import io.hawser.store.storage.StorageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class BootstrapProbeTest {
    private static final Map<String, String> SAYS_TLS = Map.of("security.protocol", "SASL_SSL");
    private static final Duration LONG = Duration.ofSeconds(30);

    private final AtomicReference<ServerSocket> late = new AtomicReference<>();

    /** A node that reads the question and answers with these bytes. */
    private static ServerSocket node(byte... answer) throws IOException {
        return node(0, answer);
    }

    private static ServerSocket node(int port, byte... answer) throws IOException {
        ServerSocket listener = new ServerSocket(port, 5, InetAddress.getLoopbackAddress());
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

    /** Keeps a port at which nobody listens. */
    private static Socket nobody() throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return socket;
    }

    private static String at(Socket nobody) {
        return "127.0.0.1:" + nobody.getLocalPort();
    }

    private static String at(ServerSocket node) {
        return "127.0.0.1:" + node.getLocalPort();
    }

    private final Openings told = new Openings();

    private void await(String bootstrap, Map<String, String> properties, Duration limit) throws StorageException {
        KafkaStoreConfig config = new KafkaStoreConfig(
                bootstrap,
                properties,
                KafkaStoreConfig.DEFAULT_NAME,
                KafkaStoreConfig.DEFAULT_PARTITIONS,
                false,
                KafkaStoreConfig.DEFAULT_SEGMENT_RECORDS,
                LocalStoreConfig.defaults(),
                GroupInstanceId.unreachable());
        try (ShutdownSignal signal = new ShutdownSignal()) {
            new BootstrapProbe(config, new OpeningReporter(told, System::nanoTime)).await(limit, signal);
        }
    }

    @Test
    void aNodeThatAnswersWithAnAlertWantsTls() throws Exception {
        try (ServerSocket tls = node((byte) 0x15, (byte) 3, (byte) 3, (byte) 0, (byte) 2)) {
            assertThatThrownBy(() -> await(at(tls), Map.of(), LONG))
                    .isInstanceOf(RemoteStoreException.class)
                    .hasMessage("Kafka at " + at(tls) + " wants TLS: --kafka-properties has to say"
                            + " security.protocol=SSL or SASL_SSL, and not PLAINTEXT");
        }
    }

    @Test
    void aNodeThatAnswersInClearTextIsRight() throws Exception {
        try (ServerSocket clear = node((byte) 0, (byte) 0, (byte) 1, (byte) 0)) {
            await(at(clear), Map.of(), LONG);
        }
        assertThat(told.all()).isEmpty();
    }

    @Test
    void whoSaysTlsIsNotAskedAndWhoDoesNotAnswerIsPassedOver() throws Exception {
        try (Socket nobody = nobody();
                ServerSocket mute = node();
                ServerSocket tls = node((byte) 0x15);
                ServerSocket again = node((byte) 0x15)) {
            await(at(tls), SAYS_TLS, LONG);
            assertThatThrownBy(() -> await(at(nobody) + "," + at(mute) + "," + at(again), Map.of(), LONG))
                    .hasMessageContaining("wants TLS");
        }
        assertThat(told.all()).hasSize(2);
        assertThat(told.all().get(1)).endsWith("(it ends the connection without an answer)");
    }

    @Test
    void thatNobodyIsThereIsSaidAtOnceAndAsLongAsItIsSo() throws Exception {
        try (Socket nobody = nobody()) {
            assertThatThrownBy(() -> await(at(nobody) + ",nowhere.invalid:9092", Map.of(), Duration.ofSeconds(1)))
                    .isInstanceOf(RemoteStoreUnavailableException.class)
                    .hasMessage("Kafka cannot be reached at " + at(nobody)
                            + " (Connection refused), nowhere.invalid:9092 (there is no such host); tried for 1 s");
            assertThat(told.all()).hasSizeGreaterThan(2);
            assertThat(told.all().get(0))
                    .isEqualTo("waits: Kafka cannot be reached at " + at(nobody) + " (Connection refused)");
        }
    }

    @Test
    void whoComesLateIsFound() throws Exception {
        Socket nobody = nobody();
        String address = at(nobody);
        Openings seesAndLets = new Openings() {
            @Override
            public void waitsFor(String what) {
                super.waitsFor(what);
                if (!nobody.isClosed()) {
                    listenInsteadOf(nobody);
                }
            }
        };
        try (ShutdownSignal signal = new ShutdownSignal()) {
            new BootstrapProbe(KafkaStoreConfig.of(address), new OpeningReporter(seesAndLets, System::nanoTime))
                    .await(LONG, signal);
        } finally {
            late.get().close();
        }
        assertThat(seesAndLets.all()).hasSize(1);
    }

    private void listenInsteadOf(Socket nobody) {
        int port = nobody.getLocalPort();
        try {
            nobody.close();
            late.set(node(port, (byte) 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
