package io.hawser.common.observe;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.hawser.common.access.Right;
import io.hawser.common.audit.Audit;
import io.hawser.common.config.HostPort;
import io.hawser.common.model.Printable;
import io.hawser.common.observe.AdminPage.Answer;
import io.hawser.ptcp.Listening;
import java.io.IOException;
import java.net.BindException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The admin pages of a node over HTTP: pages are read with GET and HEAD, and what changes something is asked for with POST. Clear
 * 404 and 405. Plain HTTP on loopback; with an SSLContext, HTTPS that asks the caller for a certificate.
 *
 * <p>The JDK's server reads a request (and a TLS hello) on the thread that answers it, so a caller who does not finish his
 * request holds a thread until {@value #MAX_REQUEST_SECONDS} s are over: hence several threads, and the limits. Pages are
 * made one at a time.
 *
 * <p>Who asks from elsewhere needs a certificate or the token ({@link AdminGuard}). A POST is never taken from a web page (browsers
 * send {@code Origin} with it).
 *
 * <p>Thread: any; pages are called on {@code hawser-admin-N}.
 */
public final class AdminServer implements AutoCloseable {
    /** Exchanges that wait for an admin thread; a caller beyond that is disconnected. */
    private static final int MAX_WAITING = 64;

    /** Threads, and so callers at once who are slow to ask or to read. They end when there is nothing to do. */
    private static final int MAX_THREADS = 16;

    private static final long IDLE_THREAD_SECONDS = 10;

    /** How long a caller may need for the head of his request, and for the TLS handshake before it. */
    private static final int MAX_REQUEST_SECONDS = 5;

    /** How long an answer may take, made and read; long enough for a page that asks a loop that is busy. */
    private static final int MAX_RESPONSE_SECONDS = 60;

    private static final int MAX_CONNECTIONS = 256;

    static {
        // The JDK's server reads these once, when its first class is loaded, and offers no other way to set them.
        setDefault("sun.net.httpserver.maxReqTime", MAX_REQUEST_SECONDS);
        setDefault("sun.net.httpserver.maxRspTime", MAX_RESPONSE_SECONDS);
        setDefault("jdk.httpserver.maxConnections", MAX_CONNECTIONS);
    }

    private static final String TEXT = "text/plain; charset=utf-8";
    private static final Logger LOG = LoggerFactory.getLogger(AdminServer.class);

    private final HttpServer server;
    private final ExecutorService threads;
    private final AdminGuard guard;
    private final AdminHosts hosts;
    private final Object onePage = new Object();

    private volatile Shown shown;

    /** What it has, by path. */
    private record Shown(Map<String, AdminPage> pages, Map<String, AdminPage> actions) {
        static Shown of(Map<String, AdminPage> pages, Map<String, AdminPage> actions) {
            return new Shown(new TreeMap<>(pages), new TreeMap<>(actions));
        }
    }

    private AdminServer(HttpServer server, ExecutorService threads, Shown shown, AdminGuard guard, AdminHosts hosts) {
        this.guard = guard;
        this.hosts = hosts;
        this.server = server;
        this.threads = threads;
        this.shown = shown;
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
        return start(address, pages, actions, ssl, AdminGuard.DEFAULT);
    }

    /** The same, for those whom {@code guard} admits. */
    public static AdminServer start(
            HostPort address,
            Map<String, AdminPage> pages,
            Map<String, AdminPage> actions,
            @Nullable SSLContext ssl,
            AdminGuard guard)
            throws IOException {
        boolean plain = ssl == null || address.isLoopback();
        HttpServer server = plain ? HttpServer.create() : HttpsServer.create();
        try {
            server.bind(address.resolve(), MAX_WAITING);
        } catch (BindException e) {
            BindException named = new BindException("cannot listen on " + address + " for the admin pages: "
                    + Listening.problem(e) + "; choose another with --admin HOST:PORT, or --admin off");
            named.initCause(e);
            throw named;
        }
        if (server instanceof HttpsServer https && ssl != null) {
            https.setHttpsConfigurator(new MutualTls(ssl, guard.token() == null));
        }
        ExecutorService threads = threads();
        AdminServer admin =
                new AdminServer(server, threads, Shown.of(pages, actions), guard, new AdminHosts(address.host()));
        server.setExecutor(threads);
        server.createContext("/", admin::handle);
        server.start();
        return admin;
    }

    private static void setDefault(String property, int value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, Integer.toString(value));
        }
    }

    private static ExecutorService threads() {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                MAX_THREADS,
                MAX_THREADS,
                IDLE_THREAD_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MAX_WAITING),
                task -> {
                    Thread t = new Thread(task, "hawser-admin-" + number.incrementAndGet());
                    t.setDaemon(true);
                    return t;
                });
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /** From now on these are its pages and actions. */
    public void show(Map<String, AdminPage> pages, Map<String, AdminPage> actions) {
        shown = Shown.of(pages, actions);
    }

    /** Where it listens, with the real port. */
    public HostPort address() {
        return HostPort.of(server.getAddress());
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdown();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer = answer(exchange);
            exchange.getResponseHeaders().set("Content-Type", answer.contentType());
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            if (answer.status() == 401) {
                exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer realm=\"hawser\"");
            }
            if (answer.status() == 405) {
                boolean isAction =
                        shown.actions().containsKey(exchange.getRequestURI().getPath());
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
        AdminPage page = shown.pages().get(path);
        AdminPage action = shown.actions().get(path);
        Optional<Caller> admitted = caller(exchange);
        if (admitted.isEmpty() && isPlainLoopback(exchange)) {
            return misdirected(exchange, method, path);
        }
        if (admitted.isEmpty()) {
            guard.audit()
                    .note(
                            "-",
                            "admin " + method,
                            path,
                            exchange.getRemoteAddress().toString(),
                            "not admitted");
            return text(
                    401, "admin pages are for this machine, for certificates of the CA, and for who shows the token\n");
        }
        Caller caller = admitted.get();
        if (action != null) {
            return method.equals("POST")
                    ? act(exchange, path, action, caller)
                    : text(405, "this is asked for with POST\n");
        }
        if (page == null) {
            return path.equals("/") ? text(200, index()) : text(404, "there is no page " + path + "\n" + index());
        }
        if (!method.equals("GET") && !method.equals("HEAD")) {
            return text(405, "admin pages are read with GET\n");
        }
        return run(exchange, path, page, caller);
    }

    private Answer misdirected(HttpExchange exchange, String method, String path) {
        String host =
                Printable.shortly(String.join(",", exchange.getRequestHeaders().get("Host")));
        String from = exchange.getRemoteAddress().toString();
        guard.audit().note("-", "admin " + method, path, from, "not admitted for host " + host);
        LOG.atWarn()
                .addKeyValue("host", host)
                .addKeyValue("from", from)
                .log("an admin request names a host that is not this node; refused, since a web page may have sent it");
        return text(
                421,
                "these pages are not at host '" + host + "': ask for localhost, 127.0.0.1 or [::1], let a proxy send"
                        + " one of these as Host, or show the token (--admin-token-file)\n");
    }

    private Optional<Caller> caller(HttpExchange exchange) {
        return guard.admit(
                certificate(exchange),
                isPlainLoopback(exchange) && hosts.areForThisNode(exchange.getRequestHeaders()),
                exchange.getRequestHeaders().getFirst("Authorization"));
    }

    private static boolean isPlainLoopback(HttpExchange exchange) {
        return exchange.getRemoteAddress().getAddress().isLoopbackAddress() && !(exchange instanceof HttpsExchange);
    }

    private static @Nullable X509Certificate certificate(HttpExchange exchange) {
        if (exchange instanceof HttpsExchange https) {
            try {
                return https.getSSLSession().getPeerCertificates()[0] instanceof X509Certificate shown ? shown : null;
            } catch (SSLPeerUnverifiedException e) {
                return null;
            }
        }
        return null;
    }

    private Answer act(HttpExchange exchange, String path, AdminPage action, Caller caller) {
        boolean mayChange = action.knowsCallers() || caller.access().grants().allowEverywhere(Right.ADMIN);
        Answer answer;
        if (exchange.getRequestHeaders().containsKey("Origin")) {
            answer = text(403, "changes are not taken from web pages\n");
        } else if (mayChange) {
            answer = run(exchange, path, action, caller);
        } else {
            answer = AdminPage.forbidden(caller);
        }
        String what = exchange.getRequestURI().toString();
        String result = answer.status() == 200
                ? Audit.OK
                : answer.status() + " " + answer.body().strip();
        guard.audit()
                .note(
                        caller.name(),
                        "admin POST",
                        what,
                        exchange.getRemoteAddress().toString(),
                        result);
        return answer;
    }

    private Answer run(HttpExchange exchange, String path, AdminPage page, Caller caller) {
        try {
            Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
            synchronized (onePage) {
                return page.get(query, caller);
            }
        } catch (IllegalArgumentException e) {
            return text(400, e.getMessage() + "\n");
        } catch (IOException | RuntimeException e) {
            LOG.atWarn().setCause(e).addKeyValue("page", path).log("an admin page failed");
            return text(500, "the page failed: " + e.getMessage() + "\n");
        }
    }

    private String index() {
        return "pages: " + String.join(" ", shown.pages().keySet()) + "\n";
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

    /** TLS 1.3, and a certificate of Hawser's CA from whoever asks, unless there is a token that can take its place. */
    private static final class MutualTls extends HttpsConfigurator {
        private final boolean certificateNeeded;

        MutualTls(SSLContext ssl, boolean certificateNeeded) {
            super(ssl);
            this.certificateNeeded = certificateNeeded;
        }

        @Override
        public void configure(HttpsParameters params) {
            SSLParameters parameters = getSSLContext().getDefaultSSLParameters();
            parameters.setProtocols(new String[] {"TLSv1.3"});
            if (certificateNeeded) {
                parameters.setNeedClientAuth(true);
            } else {
                parameters.setWantClientAuth(true); // the token is as good
            }
            params.setSSLParameters(parameters);
        }
    }
}
