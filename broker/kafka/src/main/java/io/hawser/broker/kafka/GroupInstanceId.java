package io.hawser.broker.kafka;

import io.hawser.core.config.HostPort;
import io.hawser.core.model.NodeId;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Builds and parses the Kafka group.instance.id of one broker run, which contains the broker's listening address. It says
 * where that broker listens, so that the standby brokers notice at once when its process ends; and with it they can have Kafka
 * remove that run and no other from the group.
 *
 * <p>Thread: immutable.
 */
final class GroupInstanceId {
    /** Letters, digits, {@code . _ -} are what Kafka takes. */
    private static final Pattern REACHABLE = Pattern.compile("([0-9a-f]+-[0-9]+)-([0-9]{1,5})-([a-zA-Z0-9._-]*)");

    private static final int LONGEST = 249;
    /** Replaces the colons of an IPv6 address. No host name and no address has one. */
    private static final char COLON = '_';

    private GroupInstanceId() {}

    /**
     * The name of a run of a node.
     *
     * @param run how often the node's data directory was opened
     * @param listen where it will listen for agents
     */
    static String of(NodeId node, long run, HostPort listen) {
        String name = node + "-" + run + "-" + listen.port() + "-"
                + (isWildcard(listen.host()) ? "" : listen.host().replace(':', COLON));
        return name.length() <= LONGEST && REACHABLE.matcher(name).matches() ? name : node + "-" + run;
    }

    /** The name of a run without an address, as in a test. */
    static String unreachable() {
        return UUID.randomUUID().toString();
    }

    private static boolean isWildcard(String host) {
        return host.equals("0.0.0.0") || host.equals("::") || host.equals("0:0:0:0:0:0:0:0");
    }

    /**
     * Where the broker of that name listens; empty if the name does not say it.
     *
     * @param seen the host that Kafka sees the broker at, {@code /ADDRESS}: where one listens that listens at all addresses
     */
    static Optional<HostPort> address(String name, String seen) {
        Matcher parts = REACHABLE.matcher(name);
        if (!parts.matches() || Integer.parseInt(parts.group(2)) == 0) {
            return Optional.empty();
        }
        String own = parts.group(3).replace(COLON, ':');
        String host = own.isEmpty() ? seen.substring(seen.indexOf('/') + 1) : own;
        return host.isEmpty() ? Optional.empty() : Optional.of(new HostPort(host, Integer.parseInt(parts.group(2))));
    }
}
