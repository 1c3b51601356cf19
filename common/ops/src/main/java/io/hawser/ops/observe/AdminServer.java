package io.hawser.ops.observe;

import io.hawser.core.config.HostPort;
import io.hawser.ops.http.HttpLimits;
import io.hawser.ops.http.HttpServer;
import io.hawser.ops.http.HttpTls;
import io.hawser.ops.http.RequestExecutor;
import java.io.IOException;
import java.net.BindException;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Serves the admin pages of a node over HTTP ({@link HttpServer}): GET and HEAD read pages, POST changes something. Plain HTTP on loopback; elsewhere
 * HTTPS that requests a certificate, if there is an SSLContext.
 *
 * <p>Pages are made one at a time, and {@code /health} beside them, so that no slow page delays it. A page that waits for another node waits
 * without a thread.
 *
 * <p>Thread: any.
 */
public final class AdminServer implements AutoCloseable {
    /** Requests that may wait for the page before them; further ones get 503. */
    private static final int MAX_WAITING_PAGES = 64;

    /** As many as there may be connections. */
    private static final int MAX_WAITING_HEALTH = HttpLimits.DEFAULT.connections();

    private static final String THREADS = "hawser-admin";

    private final RequestExecutor pageLane = new RequestExecutor(THREADS + "-pages", MAX_WAITING_PAGES);
    private final RequestExecutor healthLane = new RequestExecutor(THREADS + "-health", MAX_WAITING_HEALTH);
    /** What pages do when they have waited. Each open request has at most a few tasks, so the queue needs no bound. */
    private final RequestExecutor laterLane = new RequestExecutor(THREADS + "-later", Integer.MAX_VALUE);

    private final HttpRequestCounts requests = new HttpRequestCounts();
    private final AdminHandler handler;
    private final HttpServer server;

    private AdminServer(HostPort address, AdminHandler.Routes routes, @Nullable SSLContext ssl, AdminGuard guard)
            throws BindException {
        handler = new AdminHandler(
                routes, guard, new AdminHosts(address.host()), requests, pageLane, healthLane, laterLane);
        // The token is an alternative to a certificate.
        HttpTls tls = ssl == null || address.isLoopback() ? null : new HttpTls(ssl, guard.token() == null);
        try {
            server = HttpServer.start(THREADS, address.resolve(), tls, handler, HttpLimits.DEFAULT);
        } catch (BindException e) {
            BindException named = new BindException("cannot listen on " + address + " for the admin pages: "
                    + e.getMessage() + "; choose another with --admin HOST:PORT, or --admin off");
            named.initCause(e);
            throw named;
        }
    }

    /**
     * @param pages by path, such as {@code /transfers}
     * @param actions what POST does, by path; the parameters are in the query
     * @param ssl a context that trusts only Hawser's own CA, or null for plain HTTP; loopback has plain HTTP anyway, so that health checks and
     *     scrapers on the machine need no keys
     * @param guard who is admitted
     * @throws BindException with the address in its message if the port is taken
     */
    public static AdminServer start(
            HostPort address,
            Map<String, AdminPage> pages,
            Map<String, AdminPage> actions,
            @Nullable SSLContext ssl,
            AdminGuard guard)
            throws IOException {
        return new AdminServer(address, AdminHandler.Routes.of(pages, actions), ssl, guard);
    }

    public void show(Map<String, AdminPage> pages, Map<String, AdminPage> actions) {
        handler.replaceRoutes(AdminHandler.Routes.of(pages, actions));
    }

    /** Counts the requests that were answered. */
    public HttpRequestCounts requests() {
        return requests;
    }

    /** Where it listens, with the real port. */
    public HostPort address() {
        return HostPort.of(server.address());
    }

    @Override
    public void close() {
        server.close();
        pageLane.close();
        healthLane.close();
        laterLane.close();
    }
}
