package io.hawser.ops.observe;

import com.sun.management.OperatingSystemMXBean;
import io.hawser.ops.observe.NodeMetrics.Sample;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Metrics of the process and its JVM: memory, garbage collection, threads, processor time, file descriptors.
 *
 * <p>Thread: that of {@link NodeMetrics}.
 */
public final class ProcessMetrics {
    private ProcessMetrics() {}

    /** Adds them. */
    public static void add(NodeMetrics metrics) {
        metrics.bind(new JvmMemoryMetrics()).bind(new FileDescriptorMetrics()).bind(new UptimeMetrics());
        List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
        metrics.counters("jvm_gc_collections_total", "Garbage collections.", () -> collectors.stream()
                        .map(each -> of(each, (double) each.getCollectionCount()))
                        .toList())
                .counters(
                        "jvm_gc_collection_seconds_total",
                        "Time spent in garbage collections.",
                        () -> collectors.stream()
                                .map(each -> of(each, each.getCollectionTime() / (double) TimeUnit.SECONDS.toMillis(1)))
                                .toList())
                .gauge("jvm_threads", "Live threads.", () -> ManagementFactory.getThreadMXBean()
                        .getThreadCount());
        if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
            metrics.counter(
                    "process_cpu_seconds_total",
                    "Processor time of the process.",
                    () -> system.getProcessCpuTime() / (double) TimeUnit.SECONDS.toNanos(1));
        }
    }

    private static Sample of(GarbageCollectorMXBean collector, double value) {
        return new Sample(Map.of("gc", collector.getName()), value);
    }
}
