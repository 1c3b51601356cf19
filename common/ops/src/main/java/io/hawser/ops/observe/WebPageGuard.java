package io.hawser.ops.observe;

import io.hawser.ops.http.Request;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Decides whether a POST may change something if a web page sends it. Browsers add the page's {@code Origin}. Only this node's own page may, and only
 * with the token, which no other page has, or with a certificate and two headers that no other page can set. That the browser is on this machine
 * proves nothing: each page in it is.
 *
 * <p>Thread: any.
 */
final class WebPageGuard {
    /** Set by the node's own page. A page of another origin needs the node's consent for it (CORS), which it never gets. */
    static final String ACTION_HEADER = "X-Hawser-Action";

    private static final String SITE_HEADER = "Sec-Fetch-Site";
    private static final String SAME_ORIGIN = "same-origin";

    private WebPageGuard() {}

    /** Why the request is refused, as a sentence; empty if no web page sent it, or if it may. */
    static Optional<String> refusal(Request request, Credential by) {
        List<String> sites = request.headers(SITE_HEADER);
        List<String> origins = request.headers("Origin");
        if (origins.isEmpty()) {
            // A user's own navigation has "none", but never as a POST to here.
            return sites.isEmpty() || sites.equals(List.of(SAME_ORIGIN)) ? Optional.empty() : foreign();
        }
        boolean isOwn = origins.size() == 1
                && isOwn(origins.get(0), request)
                && (sites.isEmpty() || sites.equals(List.of(SAME_ORIGIN)));
        if (!isOwn) {
            return foreign();
        }
        return switch (by) {
            case TOKEN -> Optional.empty();
            case CERTIFICATE ->
                sites.isEmpty() || request.headers(ACTION_HEADER).isEmpty() ? foreign() : Optional.empty();
            case MACHINE ->
                Optional.of("a web page may change something here only with the admin token (--admin-token-file) or a"
                        + " certificate");
        };
    }

    private static Optional<String> foreign() {
        return Optional.of("web pages of other sites may not change anything here");
    }

    private static boolean isOwn(String origin, Request request) {
        List<String> hosts = request.hosts();
        if (hosts.size() != 1) {
            return false;
        }
        String host = hosts.get(0).strip().toLowerCase(Locale.ROOT);
        // In clear text a proxy on this machine may end the TLS of the browser.
        boolean mayBePlain = !request.peer().isSecure();
        return origin.equals("https://" + host) || (mayBePlain && origin.equals("http://" + host));
    }
}
