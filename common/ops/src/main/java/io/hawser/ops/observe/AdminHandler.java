package io.hawser.ops.observe;

import io.hawser.core.access.Right;
import io.hawser.core.model.Printable;
import io.hawser.ops.audit.Audit;
import io.hawser.ops.http.HttpHandler;
import io.hawser.ops.http.Lane;
import io.hawser.ops.http.Request;
import io.hawser.ops.http.Response;
import io.hawser.ops.observe.AdminPage.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers requests for admin pages: who may ask, and for what. Clear 404 and 405.
 *
 * <p>Who asks from elsewhere needs a certificate or the token ({@link AdminGuard}). A POST is never taken from a web page (browsers
 * send {@code Origin} with it).
 *
 * <p>Thread: its lanes.
 */
final class AdminHandler implements HttpHandler {
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final Logger LOG = LoggerFactory.getLogger(AdminHandler.class);

    private final AdminGuard guard;
    private final AdminHosts hosts;
    private final Lane pageLane;
    private final Lane healthLane;

    private volatile Shown shown;

    /** What it has, by path. */
    record Shown(Map<String, AdminPage> pages, Map<String, AdminPage> actions) {
        static Shown of(Map<String, AdminPage> pages, Map<String, AdminPage> actions) {
            return new Shown(new TreeMap<>(pages), new TreeMap<>(actions));
        }
    }

    AdminHandler(Shown shown, AdminGuard guard, AdminHosts hosts, Lane pageLane, Lane healthLane) {
        this.shown = shown;
        this.guard = guard;
        this.hosts = hosts;
        this.pageLane = pageLane;
        this.healthLane = healthLane;
    }

    void show(Shown now) {
        shown = now;
    }

    @Override
    public Lane lane(Request request) {
        return request.path().equals(NodePages.HEALTH) ? healthLane : pageLane;
    }

    @Override
    public Response answer(Request request) {
        Answer answer = page(request);
        Response response = Response.of(
                        answer.status(), answer.contentType(), answer.body().getBytes(StandardCharsets.UTF_8))
                .with("Cache-Control", "no-store")
                .with("X-Content-Type-Options", "nosniff");
        if (answer.status() == 401) {
            return response.with("WWW-Authenticate", "Bearer realm=\"hawser\"");
        }
        if (answer.status() == 405) {
            return response.with("Allow", shown.actions().containsKey(request.path()) ? "POST" : "GET, HEAD");
        }
        return response;
    }

    private Answer page(Request request) {
        String path = request.path();
        AdminPage page = shown.pages().get(path);
        AdminPage action = shown.actions().get(path);
        Optional<Caller> admitted = caller(request);
        if (admitted.isEmpty()) {
            return isPlainLoopback(request) ? misdirected(request) : notAdmitted(request);
        }
        Caller caller = admitted.get();
        if (action != null) {
            return request.method().equals("POST")
                    ? act(request, action, caller)
                    : text(405, "this is asked for with POST\n");
        }
        if (page == null) {
            return path.equals("/") ? text(200, index()) : text(404, "there is no page " + path + "\n" + index());
        }
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            return text(405, "admin pages are read with GET\n");
        }
        return run(request, page, caller);
    }

    private Answer notAdmitted(Request request) {
        guard.audit().note("-", "admin " + request.method(), request.path(), from(request), "not admitted");
        return text(401, "admin pages are for this machine, for certificates of the CA, and for who shows the token\n");
    }

    private Answer misdirected(Request request) {
        String host = Printable.shortly(String.join(",", request.hosts()));
        String from = from(request);
        guard.audit().note("-", "admin " + request.method(), request.path(), from, "not admitted for host " + host);
        LOG.atWarn()
                .addKeyValue("host", host)
                .addKeyValue("from", from)
                .log("an admin request names a host that is not this node; refused, since a web page may have sent it");
        return text(
                421,
                "these pages are not at host '" + host + "': ask for localhost, 127.0.0.1 or [::1], let a proxy send"
                        + " one of these as Host, or show the token (--admin-token-file)\n");
    }

    private static String from(Request request) {
        return request.peer().address().toString();
    }

    private Optional<Caller> caller(Request request) {
        return guard.admit(
                request.peer().certificate(),
                isPlainLoopback(request) && hosts.areForThisNode(request.hosts()),
                request.header("Authorization"));
    }

    private static boolean isPlainLoopback(Request request) {
        return request.peer().address().getAddress().isLoopbackAddress()
                && !request.peer().isSecure();
    }

    private Answer act(Request request, AdminPage action, Caller caller) {
        boolean mayChange = action.knowsCallers() || caller.access().grants().allowEverywhere(Right.ADMIN);
        Answer answer;
        if (request.header("Origin") != null) {
            answer = text(403, "changes are not taken from web pages\n");
        } else if (mayChange) {
            answer = run(request, action, caller);
        } else {
            answer = AdminPage.forbidden(caller);
        }
        String result = answer.status() == 200
                ? Audit.OK
                : answer.status() + " " + answer.body().strip();
        guard.audit().note(caller.name(), "admin POST", request.target(), from(request), result);
        return answer;
    }

    private static Answer run(Request request, AdminPage page, Caller caller) {
        try {
            return page.get(request.query(), caller);
        } catch (IllegalArgumentException e) {
            return text(400, e.getMessage() + "\n");
        } catch (IOException | RuntimeException e) {
            LOG.atWarn().setCause(e).addKeyValue("page", request.path()).log("an admin page failed");
            return text(500, "the page failed: " + e.getMessage() + "\n");
        }
    }

    private String index() {
        return "pages: " + String.join(" ", shown.pages().keySet()) + "\n";
    }

    private static Answer text(int status, String text) {
        return new Answer(status, TEXT, text);
    }
}
