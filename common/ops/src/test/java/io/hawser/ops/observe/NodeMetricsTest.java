package io.hawser.ops.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.meter.DurationHistogram;
import io.hawser.ops.observe.NodeMetrics.Sample;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class NodeMetricsTest {
    private final NodeMetrics metrics = new NodeMetrics();

    @Test
    void aScrapeReadsTheSourceOfSeveralMetricsOnce() {
        AtomicInteger reads = new AtomicInteger();
        metrics.of(reads::incrementAndGet).gauge("a_bytes", "A.", from -> from).counter("b_total", "B.", from -> from);

        assertThat(metrics.scrape()).contains("\na_bytes 1.0\n", "\nb_total 1.0\n");
        assertThat(metrics.scrape()).contains("\na_bytes 2.0\n", "\nb_total 2.0\n");
    }

    @Test
    void whatCannotBeReadHasNoSamplesAndTheRestHas() {
        metrics.of(() -> {
                    throw new IOException("the node is stopping");
                })
                .gauge("a_bytes", "A.", from -> 1);
        metrics.gauge("b_bytes", "B.", () -> 2);

        assertThat(metrics.scrape()).contains("\nb_bytes 2.0\n").doesNotContain("\na_bytes ");
    }

    @Test
    void samplesWithTheSameLabelsAreAddedUp() {
        metrics.gauges("a", "A.", () -> List.of(new Sample(Map.of("x", "1"), 2), new Sample(Map.of("x", "1"), 3)));

        assertThat(metrics.scrape()).contains("a{x=\"1\"} 5.0\n");
    }

    @Test
    void durationsAreAHistogramOfPrometheus() {
        DurationHistogram durations = new DurationHistogram();
        durations.record(TimeUnit.MILLISECONDS.toNanos(2));
        durations.record(TimeUnit.HOURS.toNanos(1));
        metrics.histograms("a_seconds", "A.", "of", Map.of("file", durations));

        assertThat(metrics.scrape())
                .contains("# TYPE a_seconds histogram\n", "a_seconds_bucket{of=\"file\",le=\"0.001\"} 0\n")
                .contains("a_seconds_bucket{of=\"file\",le=\"0.0025\"} 1\n")
                .contains("a_seconds_bucket{of=\"file\",le=\"+Inf\"} 2\n", "a_seconds_count{of=\"file\"} 2\n")
                .contains("a_seconds_sum{of=\"file\"} 3600.002\n");
    }

    @Test
    void aNameWithoutTheSuffixOfItsKindIsRefused() {
        assertThatThrownBy(() -> metrics.counter("a", "A.", () -> 1)).hasMessageContaining("_total");
        assertThatThrownBy(() -> metrics.info("a", "A.", Map.of())).hasMessageContaining("_info");
    }

    @Test
    void hostileLabelsStayInTheirLine() {
        metrics.gauges("a", "A.", () -> List.of(new Sample(Map.of("x", "\"} 1\nb 2"), 3)));

        assertThat(metrics.scrape()).doesNotContain("\nb 2");
    }

    @Test
    void theProcessIsThere() {
        ProcessMetrics.add(metrics);

        assertThat(metrics.scrape())
                .contains("process_cpu_seconds_total ", "jvm_threads ", "jvm_gc_collections_total{")
                .contains("jvm_memory_used_bytes{", "jvm_buffer_memory_used_bytes{", "process_files_open_files ");
    }
}
