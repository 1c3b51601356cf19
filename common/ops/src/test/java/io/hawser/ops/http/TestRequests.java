package io.hawser.ops.http;

import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Makes requests without a connection. */
public final class TestRequests {
    private TestRequests() {}

    /** A GET from another machine. */
    public static Request get(String target, Map<String, List<String>> headers) throws URISyntaxException {
        Map<String, List<String>> byName = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        byName.putAll(headers);
        Request.Peer peer = new Request.Peer(new InetSocketAddress("192.0.2.1", 1), false, null);
        return new Request("GET", target, byName, new byte[0], peer);
    }

    /** A POST from another machine. */
    public static Request post(boolean isSecure, Map<String, List<String>> headers) throws URISyntaxException {
        Map<String, List<String>> byName = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        byName.putAll(headers);
        Request.Peer peer = new Request.Peer(new InetSocketAddress("192.0.2.1", 1), isSecure, null);
        return new Request("POST", "/transfers/drop", byName, new byte[0], peer);
    }
}
