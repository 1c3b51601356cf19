package io.hawser.ops.observe;

import io.hawser.ops.observe.NodeMetrics.Sample;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the requests of the admin server by page and class of status, such as {@code 2xx}. The pages are those that the node has; the rest is
 * {@code other}.
 *
 * <p>Thread: any.
 */
public final class HttpRequestCounts {
    private static final int STATUSES_OF_CLASS = 100;

    private final Map<Row, LongAdder> rows = new ConcurrentHashMap<>();
    private final LongAdder admitted = new LongAdder();
    private final LongAdder refused = new LongAdder();

    private record Row(String page, String status) {}

    /** @param page one of the node's paths, or {@code other} */
    void answered(String page, int status) {
        rows.computeIfAbsent(new Row(page, status / STATUSES_OF_CLASS + "xx"), row -> new LongAdder())
                .increment();
    }

    /** A request came with the token or a certificate that is good. */
    void admitted() {
        admitted.increment();
    }

    /** A request came without what it needed. */
    void refused() {
        refused.increment();
    }

    /** The counts of those two with the label {@code outcome}, {@code ok} or {@code refused}. */
    public List<Sample> logins() {
        return List.of(
                new Sample(Map.of("outcome", "ok"), admitted.sum()),
                new Sample(Map.of("outcome", "refused"), refused.sum()));
    }

    /** The counts with the labels {@code page} and {@code status}. */
    public List<Sample> samples() {
        return rows.entrySet().stream()
                .map(each -> new Sample(
                        Map.of(
                                "page",
                                each.getKey().page(),
                                "status",
                                each.getKey().status()),
                        each.getValue().sum()))
                .toList();
    }
}
