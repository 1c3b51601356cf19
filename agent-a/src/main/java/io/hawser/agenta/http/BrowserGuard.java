package io.hawser.agenta.http;

import io.hawser.ops.http.RequestHead;
import io.netty.util.NetUtil;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

/**
 * Refuses what a page of another site makes a browser send. A browser adds a login that it remembers, and reaches servers of its own machine
 * that need none. Pure.
 */
final class BrowserGuard {
    private BrowserGuard() {}

    /** Whether a method changes something. */
    static boolean isChange(String method) {
        return switch (method) {
            case "PUT", "DELETE", "MKCOL" -> true;
            default -> false;
        };
    }

    /**
     * Why the request is refused, or empty.
     *
     * @param isOpenOnLoopback whether everybody on this machine may use the server: then its address must be named, since a foreign site's name
     *     can be made to lead to it
     */
    static Optional<String> refusal(RequestHead head, boolean isOpenOnLoopback) {
        String host = head.header("Host").orElse("");
        if (isOpenOnLoopback && !host.isEmpty() && !isAddress(host)) {
            return Optional.of("this server is known by its address or as localhost, not as " + host);
        }
        if (!isChange(head.method())) {
            return Optional.empty();
        }
        String site = head.header("Sec-Fetch-Site").orElse("none");
        boolean isForeign = site.equals("cross-site") || site.equals("same-site");
        Optional<String> origin = head.header("Origin");
        if (isForeign || (origin.isPresent() && !isOf(origin.get(), host))) {
            return Optional.of("a page of another site may change nothing here");
        }
        return Optional.empty();
    }

    private static boolean isOf(String origin, String host) {
        try {
            String authority = new URI(origin).getRawAuthority();
            return authority != null && authority.equalsIgnoreCase(host);
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static boolean isAddress(String hostAndPort) {
        String host = hostAndPort.replaceFirst(":[0-9]*$", "");
        String name = host.toLowerCase(Locale.ROOT);
        return name.equals("localhost")
                || name.endsWith(".localhost")
                || NetUtil.isValidIpV4Address(name)
                || (name.startsWith("[") && NetUtil.isValidIpV6Address(name));
    }
}
