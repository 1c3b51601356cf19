package io.hawser.agenta.http;

import io.hawser.ops.http.RequestHead;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Makes heads of requests for tests. */
final class HttpHeads {
    private HttpHeads() {}

    /** @param headers names and values by turns */
    static RequestHead of(String method, String... headers) {
        Map<String, List<String>> byName = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (int i = 0; i < headers.length; i += 2) {
            byName.put(headers[i], List.of(headers[i + 1]));
        }
        return new RequestHead(
                method, "/", byName, 0, new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), false);
    }
}
