package io.hawser.ops.observe;

import io.hawser.core.meter.DurationHistogram;
import io.hawser.ops.observe.NodeMetrics.Sample;
import io.hawser.store.runtime.DiskExecutor;
import io.hawser.store.runtime.DiskExecutor.Lane;
import io.hawser.store.storage.ForceMeter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * Metrics of a store's disk threads and of the forces of its files.
 *
 * <p>Thread: that of {@link NodeMetrics}.
 */
public final class DiskGauges {
    private DiskGauges() {}

    /** Adds those of the disk threads. */
    public static void add(NodeMetrics metrics, DiskExecutor disk) {
        Map<String, DurationHistogram> waits = new LinkedHashMap<>();
        for (Lane lane : Lane.values()) {
            waits.put(word(lane), disk.waits(lane));
        }
        metrics.gauges("hawser_disk_waiting_tasks", "Tasks that wait for a disk thread.", () -> byLane(disk::waiting))
                .gauges("hawser_disk_running_tasks", "Disk threads that work.", () -> byLane(disk::running))
                .histograms("hawser_disk_wait_seconds", "How long tasks waited for a disk thread.", "lane", waits);
    }

    /** Adds those of forces. */
    public static void add(NodeMetrics metrics, ForceMeter forces) {
        Map<String, DurationHistogram> byKind = new LinkedHashMap<>();
        byKind.put("file", forces.files());
        byKind.put("directory", forces.directories());
        metrics.histograms("hawser_disk_force_seconds", "How long forces (fsync) took.", "of", byKind);
    }

    private static List<Sample> byLane(ToIntFunction<Lane> value) {
        return Arrays.stream(Lane.values())
                .map(lane -> new Sample(Map.of("lane", word(lane)), value.applyAsInt(lane)))
                .toList();
    }

    private static String word(Lane lane) {
        return lane.name().toLowerCase(Locale.ROOT);
    }
}
