package io.hawser.ops.observe;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Checks the {@code Host} header of callers that are admitted only because they are on this machine. A browser is on this machine, too: a web page
 * whose name resolves to 127.0.0.1 (DNS rebinding) could read and change everything, but the browser then sends that name. Addresses cannot be
 * rebound, and requests of other programs may have no such header.
 *
 * <p>Thread: any.
 */
final class AdminHosts {
    private static final String LOCALHOST = "localhost";
    private static final Pattern PORT = Pattern.compile(":[0-9]*$");
    private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
    private static final Pattern IPV6 = Pattern.compile("\\[[0-9a-f:.]+]");

    private final String bound;

    /** @param bound the address of the pages as the operator wrote it */
    AdminHosts(String bound) {
        this.bound = bound.toLowerCase(Locale.ROOT);
    }

    /** Whether these hosts can only mean this node, and are no name that an attacker can let resolve to it. */
    boolean areForThisNode(List<String> hosts) {
        if (hosts.size() > 1) {
            return false;
        }
        return hosts.isEmpty() || isOwn(hosts.get(0).strip().toLowerCase(Locale.ROOT));
    }

    private boolean isOwn(String host) {
        String name = PORT.matcher(host).replaceFirst("");
        return name.equals(LOCALHOST)
                || name.endsWith("." + LOCALHOST)
                || name.equals(bound)
                || IPV4.matcher(name).matches()
                || IPV6.matcher(name).matches();
    }
}
