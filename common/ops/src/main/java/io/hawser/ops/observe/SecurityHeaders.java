package io.hawser.ops.observe;

import io.hawser.ops.http.Response;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The headers that each answer of the admin server has, so that no browser runs, frames or passes on what it gets.
 *
 * <p>Thread: any.
 */
final class SecurityHeaders {
    private static final Map<String, String> ALL = Map.of(
            "Content-Security-Policy",
            "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none';"
                    + " require-trusted-types-for 'script'; trusted-types 'none'",
            "Cross-Origin-Opener-Policy",
            "same-origin",
            "Cross-Origin-Resource-Policy",
            "same-origin",
            "Referrer-Policy",
            "no-referrer",
            "X-Content-Type-Options",
            "nosniff",
            "X-Frame-Options",
            "DENY");

    private SecurityHeaders() {}

    /** The same response with them. */
    static Response add(Response response) {
        Map<String, String> headers = new LinkedHashMap<>(response.headers());
        headers.putAll(ALL);
        headers.putIfAbsent("Cache-Control", "no-store");
        return new Response(response.status(), headers, response.body());
    }
}
