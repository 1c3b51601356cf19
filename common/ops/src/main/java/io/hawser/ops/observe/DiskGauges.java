package io.hawser.ops.observe;

import io.hawser.store.runtime.DiskExecutor;
import io.hawser.store.runtime.DiskExecutor.Lane;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;

/**
 * Metrics of a store's disk threads.
 *
 * <p>Thread: any.
 */
public final class DiskGauges {
    private DiskGauges() {}

    /** Adds them. */
    public static void add(MeterRegistry metrics, DiskExecutor disk) {
        for (Lane lane : Lane.values()) {
            String name = lane.name().toLowerCase(Locale.ROOT);
            Gauge.builder("hawser_disk_queue", () -> disk.waiting(lane))
                    .description("tasks that wait for a disk thread")
                    .tag("lane", name)
                    .register(metrics);
            Gauge.builder("hawser_disk_running", () -> disk.running(lane))
                    .description("disk threads that work")
                    .tag("lane", name)
                    .register(metrics);
        }
    }
}
