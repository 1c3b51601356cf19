package io.hawser.ops.observe;

import io.hawser.core.access.Right;
import io.hawser.core.model.Printable;
import io.hawser.ops.audit.Audit;
import io.hawser.ops.dashboard.DashboardFiles;
import io.hawser.ops.http.HttpHandler;
import io.hawser.ops.http.Request;
import io.hawser.ops.http.RequestExecutor;
import io.hawser.ops.http.Response;
import io.hawser.ops.observe.AdminPage.Answer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers requests for admin pages, after checking who asks ({@link AdminGuard}), and for a POST whether a web page may send it ({@link
 * WebPageGuard}). The files of the page at {@code /} hold nothing of the node; who could show a token gets them without one.
 *
 * <p>Thread: its lanes.
 */
final class AdminHandler implements HttpHandler {
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST");
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String SESSION = "/session";
    private static final Logger LOG = LoggerFactory.getLogger(AdminHandler.class);
    private static final long MISDIRECTED_LOG_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final AdminGuard guard;
    private volatile long misdirectedLogNanos = System.nanoTime() - MISDIRECTED_LOG_INTERVAL_NANOS;
    private final AdminHosts hosts;
    private final RequestExecutor pageLane;
    private final RequestExecutor healthLane;
    private final Executor later;
    private final DashboardFiles dashboard = DashboardFiles.load();

    private final HttpRequestCounts counts;

    private volatile Routes routes;

    record Routes(Map<String, AdminPage> pages, Map<String, AdminPage> actions) {
        static Routes of(Map<String, AdminPage> pages, Map<String, AdminPage> actions) {
            return new Routes(new TreeMap<>(pages), new TreeMap<>(actions));
        }
    }

    AdminHandler(
            Routes routes,
            AdminGuard guard,
            AdminHosts hosts,
            HttpRequestCounts counts,
            RequestExecutor pageLane,
            RequestExecutor healthLane,
            Executor later) {
        this.counts = counts;
        this.routes = routes;
        this.guard = guard;
        this.hosts = hosts;
        this.pageLane = pageLane;
        this.healthLane = healthLane;
        this.later = later;
    }

    void replaceRoutes(Routes now) {
        routes = now;
    }

    @Override
    public RequestExecutor lane(Request request) {
        return request.path().equals(NodePages.HEALTH) ? healthLane : pageLane;
    }

    @Override
    public CompletionStage<Response> answer(Request request) {
        return response(request).thenApply(made -> {
            Response response = SecurityHeaders.add(made);
            counts.answered(isKnown(request.path()) ? request.path() : "other", response.status());
            return response;
        });
    }

    private boolean isKnown(String path) {
        return routes.pages().containsKey(path) || routes.actions().containsKey(path);
    }

    private CompletionStage<Response> response(Request request) {
        Optional<Admission> admitted = admit(request);
        if (admitted.isPresent() || guard.token() != null) {
            Optional<Response> file = dashboard.answer(request);
            if (file.isPresent()) {
                return now(file.get());
            }
        }
        if (admitted.isEmpty()) {
            counts.refused();
            return now(isPlainLoopback(request) ? misdirected(request) : notAdmitted(request));
        }
        if (admitted.get().by() != Credential.MACHINE) {
            counts.admitted();
        }
        return response(request, admitted.get());
    }

    private CompletionStage<Response> response(Request request, Admission admission) {
        String path = request.path();
        AdminPage page = routes.pages().get(path);
        AdminPage action = routes.actions().get(path);
        if (action != null && request.method().equals("POST")) {
            return act(request, action, admission).thenApply(AdminHandler::http);
        }
        if (page == null && action != null) {
            return now(text(405, "use POST for this\n").with("Allow", "POST"));
        }
        if (page == null && !path.equals(SESSION)) {
            return now(
                    path.equals(DashboardFiles.PAGE)
                            ? text(200, index())
                            : text(404, "no such page: " + path + "\n" + index()));
        }
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            return now(text(405, "use GET for admin pages\n")
                    .with("Allow", action == null ? "GET, HEAD" : "GET, HEAD, POST"));
        }
        if (page == null) {
            return now(http(session(admission)));
        }
        return page instanceof EventStream stream
                ? now(stream.open(
                        request, admission.caller(), () -> admit(request).map(Admission::caller)))
                : run(request, page, admission.caller()).thenApply(AdminHandler::http);
    }

    private Response notAdmitted(Request request) {
        guard.audit().note("-", what(request), request.path(), from(request), "not admitted");
        return text(401, "admin pages need a request from this machine, a certificate of the CA, or the token\n")
                .with("WWW-Authenticate", "Bearer realm=\"hawser\"");
    }

    private Response misdirected(Request request) {
        String host = Printable.shortly(String.join(",", request.hosts()));
        InetSocketAddress from = from(request);
        guard.audit().note("-", what(request), request.path(), from, "not admitted for host " + host);
        long now = System.nanoTime();
        if (now - misdirectedLogNanos
                >= MISDIRECTED_LOG_INTERVAL_NANOS) { // whoever makes them, also a web page, could fill the disk
            misdirectedLogNanos = now;
            LOG.atWarn()
                    .addKeyValue("host", host)
                    .addKeyValue("from", from)
                    .log(
                            "refused an admin request for a host that is not this node, since a web page may have sent it");
        }
        return text(
                421,
                "these pages are not at host '" + host
                        + "': request localhost, 127.0.0.1 or [::1], let a proxy send one of"
                        + " these as Host, or send the token (--admin-token-file)\n");
    }

    /** One of few words, since callers choose the method. */
    private static String what(Request request) {
        return "admin " + (METHODS.contains(request.method()) ? request.method() : "request");
    }

    private static InetSocketAddress from(Request request) {
        return request.peer().address();
    }

    private Optional<Admission> admit(Request request) {
        return guard.admit(
                request.peer().certificate(),
                isPlainLoopback(request) && hosts.areForThisNode(request.hosts()),
                request.header("Authorization"));
    }

    private static boolean isPlainLoopback(Request request) {
        return request.peer().address().getAddress().isLoopbackAddress()
                && !request.peer().isSecure();
    }

    private CompletionStage<Answer> act(Request request, AdminPage action, Admission admission) {
        Caller caller = admission.caller();
        boolean mayChange = action.checksCallers() || caller.access().grants().allowEverywhere(Right.ADMIN);
        Optional<String> refusal = WebPageGuard.refusal(request, admission.by());
        CompletionStage<Answer> answer;
        if (refusal.isPresent()) {
            answer = now(new Answer(403, TEXT, refusal.get() + "\n"));
        } else if (mayChange) {
            answer = run(request, action, caller);
        } else {
            answer = now(AdminPage.forbidden(caller));
        }
        return answer.thenApply(made -> {
            String result = made.status() == 200
                    ? Audit.OK
                    : made.status() + " " + made.body().strip();
            guard.audit().note(caller.name(), "admin POST", request.target(), from(request), result);
            return made;
        });
    }

    private CompletionStage<Answer> run(Request request, AdminPage page, Caller caller) {
        try {
            return page.answer(request.query(), caller, later)
                    .exceptionally(failure -> failed(
                            request,
                            failure instanceof CompletionException && failure.getCause() != null
                                    ? failure.getCause()
                                    : failure));
        } catch (IOException | RuntimeException e) {
            return now(failed(request, e));
        }
    }

    private static Answer failed(Request request, Throwable failure) {
        if (failure instanceof IllegalArgumentException) {
            return new Answer(400, TEXT, failure.getMessage() + "\n");
        }
        LOG.atWarn().setCause(failure).addKeyValue("page", request.path()).log("an admin page failed");
        return new Answer(500, TEXT, "the page failed: " + failure.getMessage() + "\n");
    }

    private static <T> CompletionStage<T> now(T answer) {
        return CompletableFuture.completedFuture(answer);
    }

    private Answer session(Admission admission) {
        Routes now = routes;
        SessionPage session = SessionPage.of(
                admission, guard.token(), now.pages().keySet(), now.actions().keySet());
        return Answer.json(200, session);
    }

    private String index() {
        return "pages: " + String.join(" ", routes.pages().keySet()) + "\nchanges by POST: "
                + String.join(" ", routes.actions().keySet()) + "\n";
    }

    private static Response http(Answer answer) {
        return Response.of(answer.status(), answer.contentType(), answer.body().getBytes(StandardCharsets.UTF_8));
    }

    private static Response text(int status, String text) {
        return Response.text(status, text);
    }
}
