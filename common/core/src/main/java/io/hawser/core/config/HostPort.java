package io.hawser.core.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/**
 * A host and a TCP port, in the form of flags and READY lines: {@code 127.0.0.1:7400}, {@code [::1]:7400}, {@code
 * broker.example:7400}. Port 0 asks the system for a free one.
 *
 * @param host name or address, an IPv6 address without its brackets
 * @param port 0 to 65535
 */
public record HostPort(String host, int port) {
    public HostPort {
        if (host.isEmpty()) {
            throw new IllegalArgumentException("the host is missing");
        }
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("a port is 0 to 65535, not " + port);
        }
    }

    /** {@link IllegalArgumentException} with a sentence for the user. */
    public static HostPort parse(String text) {
        String trimmed = text.strip();
        int colon = trimmed.lastIndexOf(':');
        String host = colon < 0 ? trimmed : trimmed.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            throw new IllegalArgumentException("'" + text + "': write an IPv6 address in brackets, such as [::1]:7400");
        }
        if (colon < 0
                || host.isEmpty()
                || host.indexOf('[') >= 0
                || host.indexOf(']') >= 0
                || !trimmed.substring(colon + 1).matches("[0-9]{1,5}")) {
            throw new IllegalArgumentException("'" + text + "' is not HOST:PORT, such as 127.0.0.1:7400");
        }
        try {
            return new HostPort(host, Integer.parseInt(trimmed.substring(colon + 1)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "': " + e.getMessage(), e);
        }
    }

    public static HostPort of(InetSocketAddress address) {
        InetAddress inet = address.getAddress();
        return new HostPort(inet == null ? address.getHostString() : inet.getHostAddress(), address.getPort());
    }

    /** Looks the name up, which blocks. {@link IllegalArgumentException} if there is no such host. */
    public InetSocketAddress resolve() {
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("there is no host '" + host + "'");
        }
        return address;
    }

    /** Whether every address of this host is a loopback address. Looks the name up, which blocks; false for an unknown name. */
    public boolean isLoopback() {
        try {
            return Arrays.stream(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
        } catch (UnknownHostException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }
}
