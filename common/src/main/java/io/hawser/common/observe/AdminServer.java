package io.hawser.common.observe;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.hawser.common.config.HostPort;
import io.hawser.common.observe.AdminPage.Answer;
import java.io.IOException;
import java.net.BindException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The admin pages of a node over HTTP: pages are read with GET and HEAD, and what changes something is asked for with POST. One small
 * thread, clear 404 and 405. Plain HTTP on loopback; with an SSLContext, HTTPS that asks the caller for a certificate.
 *
 * <p>A POST is taken from the machine itself or from a caller with a certificate, and never from a web page (browsers send {@code
 * Origin} with it).
 *
 * <p>Thread: any; pages are called on {@code hawser-admin}.
 */
public final class AdminServer implements AutoCloseable {
    /** Exchanges that wait for the admin thread; a caller beyond that is disconnected. */
    private static final int MAX_WAITING = 64;

    private static final String TEXT = "text/plain; charset=utf-8";
    private static final Logger LOG = LoggerFactory.getLogger(AdminServer.class);

    private final HttpServer server;
    private final ExecutorService thread;
    private final Map<String, AdminPage> pages;
    private final Map<String, AdminPage> actions;

    private AdminServer(
            HttpServer server, ExecutorService thread, Map<String, AdminPage> pages, Map<String, AdminPage> actions) {
        this.server = server;
        this.thread = thread;
        this.pages = pages;
        this.actions = actions;
    }

    /**
     * Binds and starts to answer.
     *
     * @param pages by path, such as {@code /transfers}
     * @param actions what POST does, by path; the parameters are in the query
     * @param ssl a context that trusts only Hawser's own CA, or null for plain HTTP; on loopback it is plain HTTP anyway,
     *     so that health checks and scrapers on the machine need no keys
     * @throws BindException with the address in its message if the port is taken
     */
    public static AdminServer start(
            HostPort address, Map<String, AdminPage> pages, Map<String, AdminPage> actions, @Nullable SSLContext ssl)
            throws IOException {
        boolean plain = ssl == null || address.isLoopback();
        HttpServer server = plain ? HttpServer.create() : HttpsServer.create();
        try {
            server.bind(address.resolve(), MAX_WAITING);
        } catch (BindException e) {
            BindException named = new BindException("cannot listen on " + address + " for the admin pages: "
                    + e.getMessage() + "; choose another with --admin HOST:PORT, or --admin off");
            named.initCause(e);
            throw named;
        }
        if (server instanceof HttpsServer https && ssl != null) {
            https.setHttpsConfigurator(new MutualTls(ssl));
        }
        ThreadPoolExecutor thread =
                new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MAX_WAITING), task -> {
                    Thread t = new Thread(task, "hawser-admin");
                    t.setDaemon(true);
                    return t;
                });
        AdminServer admin = new AdminServer(server, thread, new TreeMap<>(pages), new TreeMap<>(actions));
        server.setExecutor(thread);
        server.createContext("/", admin::handle);
        server.start();
        return admin;
    }

    /** Where it listens, with the real port. */
    public HostPort address() {
        return HostPort.of(server.getAddress());
    }

    @Override
    public void close() {
        server.stop(0);
        thread.shutdown();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer = answer(exchange);
            exchange.getResponseHeaders().set("Content-Type", answer.contentType());
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            if (answer.status() == 405) {
                boolean isAction = actions.containsKey(exchange.getRequestURI().getPath());
                exchange.getResponseHeaders().set("Allow", isAction ? "POST" : "GET, HEAD");
            }
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(answer.status(), head || body.length == 0 ? -1 : body.length);
            if (!head) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    private Answer answer(HttpExchange exchange) {
        String method = exchange.getRequestMethod();
        String path = exchange.getRequestURI().getPath();
        AdminPage page = pages.get(path);
        AdminPage action = actions.get(path);
        if (action != null) {
            return method.equals("POST") ? act(exchange, path, action) : text(405, "this is asked for with POST\n");
        }
        if (page == null) {
            return path.equals("/") ? text(200, index()) : text(404, "there is no page " + path + "\n" + index());
        }
        if (!method.equals("GET") && !method.equals("HEAD")) {
            return text(405, "admin pages are read with GET\n");
        }
        return run(exchange, path, page);
    }

    private static Answer act(HttpExchange exchange, String path, AdminPage action) {
        boolean known = exchange instanceof HttpsExchange
                || exchange.getRemoteAddress().getAddress().isLoopbackAddress();
        if (!known || exchange.getRequestHeaders().containsKey("Origin")) {
            return text(403, "changes are taken from this machine, or with a certificate, and not from web pages\n");
        }
        return run(exchange, path, action);
    }

    private static Answer run(HttpExchange exchange, String path, AdminPage page) {
        try {
            return page.get(query(exchange.getRequestURI().getRawQuery()));
        } catch (IllegalArgumentException e) {
            return text(400, e.getMessage() + "\n");
        } catch (IOException | RuntimeException e) {
            LOG.atWarn().setCause(e).addKeyValue("page", path).log("an admin page failed");
            return text(500, "the page failed: " + e.getMessage() + "\n");
        }
    }

    private String index() {
        return "pages: " + String.join(" ", pages.keySet()) + "\n";
    }

    private static Answer text(int status, String text) {
        return new Answer(status, TEXT, text);
    }

    private static Map<String, String> query(@Nullable String raw) {
        Map<String, String> query = new HashMap<>();
        if (raw != null) {
            for (String part : raw.split("&")) {
                int equals = part.indexOf('=');
                String name = equals < 0 ? part : part.substring(0, equals);
                String value = equals < 0 ? "" : part.substring(equals + 1);
                query.put(
                        URLDecoder.decode(name, StandardCharsets.UTF_8),
                        URLDecoder.decode(value, StandardCharsets.UTF_8));
            }
        }
        return query;
    }

    /** TLS 1.3, and a certificate of Hawser's CA from whoever asks. */
    private static final class MutualTls extends HttpsConfigurator {
        MutualTls(SSLContext ssl) {
            super(ssl);
        }

        @Override
        public void configure(HttpsParameters params) {
            SSLParameters parameters = getSSLContext().getDefaultSSLParameters();
            parameters.setProtocols(new String[] {"TLSv1.3"});
            parameters.setNeedClientAuth(true);
            params.setSSLParameters(parameters);
        }
    }
}
