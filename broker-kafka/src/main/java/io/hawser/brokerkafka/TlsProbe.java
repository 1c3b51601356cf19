package io.hawser.brokerkafka;

import io.hawser.common.config.HostPort;
import io.hawser.common.storage.StorageException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;

/**
 * Asks a node of Kafka in clear text whether it wants TLS, before Kafka's clients do: they would take its alert for the length of an
 * answer of some hundred megabytes, and the broker would end for want of memory.
 *
 * <p>Thread: any; blocks for some seconds at most.
 */
final class TlsProbe {
    private static final int LIMIT_MILLIS = 3_000;
    private static final int TLS_ALERT = 0x15;
    /** ApiVersions, version 0, without a client's id: what every Kafka answers, also one that wants SASL. */
    private static final byte[] QUESTION = ByteBuffer.allocate(14)
            .putInt(10)
            .putShort((short) 18)
            .putShort((short) 0)
            .putInt(1)
            .putShort((short) -1)
            .array();

    private TlsProbe() {}

    /** Looks at the first node that answers. @throws StorageException if it wants TLS and the properties do not say so */
    static void check(String bootstrap, Map<String, String> properties) throws StorageException {
        String protocol = properties
                .getOrDefault(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, "PLAINTEXT")
                .toUpperCase(Locale.ROOT);
        if (protocol.endsWith("SSL")) {
            return;
        }
        for (String address : bootstrap.split(",", -1)) {
            int first = firstByte(HostPort.parse(address.strip()));
            if (first == TLS_ALERT) {
                throw new StorageException("Kafka at " + address.strip()
                        + " wants TLS: --kafka-properties has to say security.protocol=SSL or SASL_SSL, and not "
                        + protocol);
            }
            if (first >= 0) {
                return;
            }
        }
    }

    /** Of its answer; -1 if there is none, whose reason Kafka's clients find out themselves. */
    private static int firstByte(HostPort address) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address.host(), address.port()), LIMIT_MILLIS);
            socket.setSoTimeout(LIMIT_MILLIS);
            socket.getOutputStream().write(QUESTION);
            return socket.getInputStream().read();
        } catch (IOException e) {
            return -1;
        }
    }
}
