package io.hawser.broker.kafka;

import io.hawser.core.config.HostPort;
import io.hawser.store.storage.RemoteStoreException;
import io.hawser.store.storage.RemoteStoreUnavailableException;
import io.hawser.store.storage.StorageException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.CommonClientConfigs;

/**
 * Looks whether a node is where Kafka should be, before Kafka's clients do: they try for a minute without a word. And asks it, in clear
 * text, whether it wants TLS: they would take its alert for the length of an answer of some hundred megabytes, and the broker would end
 * for want of memory.
 *
 * <p>Thread: one; blocks.
 */
final class BootstrapProbe {
    private static final int LOOK_MILLIS = 1_500;
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final int TLS_ALERT = 0x15;
    private static final int END = -1;
    /** ApiVersions, version 0, without a client's id: what every Kafka answers, also one that wants SASL. */
    private static final byte[] QUESTION = ByteBuffer.allocate(14)
            .putInt(10)
            .putShort((short) 18)
            .putShort((short) 0)
            .putInt(1)
            .putShort((short) -1)
            .array();

    private final String[] addresses;
    private final String protocol;
    private final OpeningReporter reporter;
    private final Map<String, String> problems = new LinkedHashMap<>();

    BootstrapProbe(KafkaStoreConfig config, OpeningReporter reporter) {
        this.addresses = config.bootstrap().split(",", -1);
        this.protocol = config.properties()
                .getOrDefault(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, "PLAINTEXT")
                .toUpperCase(Locale.ROOT);
        this.reporter = reporter;
    }

    /**
     * Waits until a node answers, and says meanwhile which do not.
     *
     * @throws RemoteStoreUnavailableException if none does within {@code limit}
     * @throws StorageException if it wants TLS and the properties do not say so
     */
    void await(Duration limit, ShutdownSignal signal) throws StorageException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!answers()) {
            if (System.nanoTime() - deadline >= 0) {
                throw new RemoteStoreUnavailableException(sentence() + "; tried for " + limit.toSeconds() + " s");
            }
            signal.pause(PAUSE);
        }
    }

    private boolean answers() throws StorageException {
        for (String address : addresses) {
            String problem = problemAt(HostPort.parse(address.strip()));
            if (problem.isEmpty()) {
                return true;
            }
            problems.put(address.strip(), problem);
            reporter.waitsFor(sentence());
        }
        return false;
    }

    private String sentence() {
        return problems.entrySet().stream()
                .map(each -> each.getKey() + " (" + each.getValue() + ")")
                .collect(Collectors.joining(", ", "Kafka cannot be reached at ", ""));
    }

    /** Empty if it answers. */
    private String problemAt(HostPort address) throws StorageException {
        try {
            String problem = "";
            for (InetAddress each : InetAddress.getAllByName(address.host())) {
                problem = problemAt(new InetSocketAddress(each, address.port()), address);
                if (problem.isEmpty()) {
                    break;
                }
            }
            return problem;
        } catch (UnknownHostException e) {
            return "there is no such host";
        }
    }

    private String problemAt(InetSocketAddress node, HostPort address) throws StorageException {
        try (Socket socket = new Socket(Proxy.NO_PROXY)) { // Kafka's clients know no proxy either
            socket.connect(node, LOOK_MILLIS);
            return protocol.endsWith("SSL") ? "" : problemOf(socket, address);
        } catch (SocketTimeoutException e) {
            return "no answer";
        } catch (IOException e) {
            if (e instanceof StorageException wantsTls) {
                throw wantsTls;
            }
            return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        }
    }

    private String problemOf(Socket socket, HostPort address) throws IOException {
        socket.setSoTimeout(LOOK_MILLIS);
        socket.getOutputStream().write(QUESTION);
        int first = socket.getInputStream().read();
        if (first == TLS_ALERT) {
            throw new RemoteStoreException("Kafka at " + address
                    + " wants TLS: --kafka-properties has to say security.protocol=SSL or SASL_SSL, and not "
                    + protocol);
        }
        return first == END ? "it ends the connection without an answer" : "";
    }
}
