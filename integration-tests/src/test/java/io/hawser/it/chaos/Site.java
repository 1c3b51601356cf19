package io.hawser.it.chaos;

import io.hawser.core.config.HostPort;
import java.util.List;

/**
 * Where a node runs: here, or at the other end of an emulated link. Immutable.
 *
 * @param by the words in front of its command, such as {@code wan exec right}; empty for here
 * @param host the address that it listens on
 */
record Site(List<String> by, String host) {
    static final Site HERE = new Site(List.of(), "127.0.0.1");

    /** What the links to the broker are, in words; empty if they are loopback. */
    static String links() {
        return System.getProperty("hawser.chaos.links", "");
    }

    /** The broker's: {@code integration-tests/lab chaos --wan} puts it at the far end of the link. */
    static Site ofBroker() {
        String by = System.getProperty("hawser.chaos.broker.by", "");
        return by.isEmpty()
                ? HERE
                : new Site(List.of(by.split(" ")), System.getProperty("hawser.chaos.broker.host", HERE.host));
    }

    boolean isHere() {
        return by.isEmpty();
    }

    /** Any port. */
    HostPort anyPort() {
        return new HostPort(host, 0);
    }
}
