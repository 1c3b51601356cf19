package io.hawser.kafka;

import io.hawser.core.config.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Map;

/**
 * Looks whether a node of Kafka answers at an address, and asks it in clear text whether it wants TLS: Kafka's own clients would take its
 * alert for the length of an answer of some hundred megabytes, and the process would end for want of memory.
 *
 * <p>Thread: any; blocks for at most {@value #LOOK_MILLIS} ms per address and step.
 *
 * @param protocol what Kafka's clients are told as {@code security.protocol}
 */
public record KafkaNodeProbe(String protocol) {
    private static final int LOOK_MILLIS = 1_500;
    private static final String PROTOCOL = "security.protocol";
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

    /** The node wants TLS, and the properties do not say so. */
    public static final class WantsTlsException extends IOException {
        private static final long serialVersionUID = 1;

        WantsTlsException(HostPort address, String protocol) {
            super("Kafka at " + address + " wants TLS, and not " + protocol);
        }
    }

    /** @param properties of Kafka's clients */
    public static KafkaNodeProbe of(Map<String, String> properties) {
        return new KafkaNodeProbe(properties.getOrDefault(PROTOCOL, "PLAINTEXT").toUpperCase(Locale.ROOT));
    }

    /** Why no node answers there; empty if one does. */
    public String problemAt(HostPort address) throws WantsTlsException {
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

    private String problemAt(InetSocketAddress node, HostPort address) throws WantsTlsException {
        try (Socket socket = new Socket(Proxy.NO_PROXY)) { // Kafka's clients know no proxy either
            socket.connect(node, LOOK_MILLIS);
            return protocol.endsWith("SSL") ? "" : problemOf(socket, address);
        } catch (SocketTimeoutException e) {
            return "no answer";
        } catch (WantsTlsException e) {
            throw e;
        } catch (IOException e) {
            return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        }
    }

    private String problemOf(Socket socket, HostPort address) throws IOException {
        socket.setSoTimeout(LOOK_MILLIS);
        socket.getOutputStream().write(QUESTION);
        int first = socket.getInputStream().read();
        if (first == TLS_ALERT) {
            throw new WantsTlsException(address, protocol);
        }
        return first == END ? "it ends the connection without an answer" : "";
    }
}
