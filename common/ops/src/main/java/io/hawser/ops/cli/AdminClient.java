package io.hawser.ops.cli;

import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.config.HostPort;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.tls.Role;
import io.hawser.ops.observe.AdminToken;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import javax.net.ssl.HttpsURLConnection;
import org.jspecify.annotations.Nullable;

/**
 * Reads admin pages and asks for changes: plain HTTP from loopback, HTTPS with the client's certificate where that is not
 * spoken. On HttpURLConnection, since it starts in a third of the time of the newer client.
 *
 * <p>Thread: any.
 */
public final class AdminClient {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_PAGE_BYTES = 64 << 20;

    private final HostPort address;
    private final @Nullable NodeTls tls;
    private final Duration timeout;
    private final @Nullable String token;

    /** @param tls the client's keys; used if the address is not loopback */
    public AdminClient(HostPort address, @Nullable NodeTls tls) {
        this(address, tls, DEFAULT_TIMEOUT);
    }

    /** @param timeout for connecting, and for each read */
    public AdminClient(HostPort address, @Nullable NodeTls tls, Duration timeout) {
        this(address, tls, timeout, null);
    }

    /** @param token of the admin pages, or null */
    public AdminClient(HostPort address, @Nullable NodeTls tls, Duration timeout, @Nullable String token) {
        this.token = token;
        this.address = address;
        this.tls = tls;
        this.timeout = timeout;
    }

    /** For the address under {@code key}, with the keys of {@code --tls} if it is given. */
    public static AdminClient of(Config config, ConfigKey<HostPort> key) {
        return at(config, config.get(key), DEFAULT_TIMEOUT);
    }

    /** For that address, with the keys of {@code --tls} if it is given. */
    static AdminClient at(Config config, HostPort address, Duration timeout) {
        NodeTls keys = config.find(CommonNodeFlags.TLS)
                .map(directory -> NodeTls.load(directory, Role.CLIENT))
                .orElse(null);
        String secret = config.find(CommonNodeFlags.ADMIN_TOKEN)
                .map(file -> AdminToken.open(file).secret())
                .orElse(null);
        return new AdminClient(address, keys, timeout, secret);
    }

    /** Where it asks, for messages. */
    String address() {
        return address.toString();
    }

    /**
     * The body of a page. Throws CommandException if there is no answer or another one than 200; what the page says of a question that
     * it cannot answer (400) is the message, with exit code 4.
     */
    public byte[] get(String path, Map<String, String> query) {
        return ask("GET", path, query, 200);
    }

    /** What {@code /health} says, of a node that is not well (503) too. */
    public byte[] health() {
        return ask("GET", "/health", Map.of(), 503);
    }

    /** Asks for a change. The same, with POST; also what a page says of a change that is not complete (202). */
    public byte[] post(String path, Map<String, String> query) {
        return ask("POST", path, query, 202);
    }

    /** @param also another status than 200 that is an answer */
    private byte[] ask(String method, String path, Map<String, String> query, int also) {
        String parameters = query.entrySet().stream()
                .map(e -> e.getKey() + "=" + URLEncoder.encode(e.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&", query.isEmpty() ? "" : "?", ""));
        if (tls == null || address.isLoopback()) {
            try {
                return read(method, "http", path, parameters, also);
            } catch (CommandException e) {
                // A node that listens on every address speaks TLS on loopback, too, and hangs up on clear text.
                boolean hungUp = tls != null
                        && e.exitCode() == ExitCode.CANNOT_CONNECT
                        && !(e.getCause() instanceof ConnectException);
                if (!hungUp) {
                    throw e;
                }
            }
        }
        return read(method, "https", path, parameters, also);
    }

    private byte[] read(String method, String scheme, String path, String parameters, int also) {
        URI uri = URI.create(scheme + "://" + address + path + parameters);
        NodeTls keys = tls;
        try {
            HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection(java.net.Proxy.NO_PROXY);
            connection.setRequestMethod(method);
            connection.setConnectTimeout((int) timeout.toMillis());
            connection.setReadTimeout((int) timeout.toMillis());
            if (token != null) {
                connection.setRequestProperty("Authorization", "Bearer " + token);
            }
            if (keys != null && connection instanceof HttpsURLConnection https) {
                https.setSSLSocketFactory(keys.jdkContext().getSocketFactory());
            }
            return body(connection, path, also);
        } catch (SocketTimeoutException e) {
            throw new CommandException(
                    ExitCode.CANNOT_CONNECT, "no answer from " + address + " within " + timeout.toSeconds() + " s", e);
        } catch (IOException e) {
            throw new CommandException(
                    ExitCode.CANNOT_CONNECT,
                    "cannot read " + scheme + "://" + address + path + ": " + Errors.sentence(e)
                            + "; is the node running, and is this its --admin address?",
                    e);
        }
    }

    private byte[] body(HttpURLConnection connection, String path, int also) throws IOException {
        int status = connection.getResponseCode();
        InputStream stream = status < 400 ? connection.getInputStream() : connection.getErrorStream();
        byte[] body = new byte[0];
        if (stream != null) {
            try (stream) {
                body = stream.readNBytes(MAX_PAGE_BYTES);
            }
        }
        if (status != 200 && status != also) {
            String said = new String(body, StandardCharsets.UTF_8).strip().replaceAll("\\s*\\R\\s*", "; ");
            if (status == 400) {
                throw new CommandException(ExitCode.REFUSED, said); // the page's own sentence about what was asked
            }
            throw new CommandException(
                    ExitCode.REFUSED,
                    connection.getURL().getProtocol() + "://" + address + path + " answered " + status + ": " + said);
        }
        return body;
    }
}
