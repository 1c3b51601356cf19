package io.hawser.it.bench.recording;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where a node's processor time went. How much there is of it, and of which thread, is what the kernel counted; what a thread did in
 * user mode is divided as the samples of its Java frames are, and what it did in the kernel as the samples of its native calls, without
 * those that only wait.
 *
 * <p>Thread: one.
 */
final class ProcessorShares {
    private final Map<ThreadKind, Map<FrameGroup, Integer>> java = new EnumMap<>(ThreadKind.class);
    private final Map<ThreadKind, Map<FrameGroup, Integer>> kernel = new EnumMap<>(ThreadKind.class);

    /** A sample of a thread that ran Java code. */
    void ranJava(String thread, List<String> stack) {
        count(java, thread, FrameGroup.of(stack));
    }

    /** A sample of a thread that was in a native call. */
    void ranNative(String thread, List<String> stack) {
        FrameGroup group = FrameGroup.of(stack);
        if (group != FrameGroup.WAITING) {
            count(kernel, thread, group);
        }
    }

    private static void count(Map<ThreadKind, Map<FrameGroup, Integer>> samples, String thread, FrameGroup group) {
        samples.computeIfAbsent(ThreadKind.of(thread), kind -> new EnumMap<>(FrameGroup.class))
                .merge(group, 1, Integer::sum);
    }

    /** Seconds by what they were spent on, for people. */
    Map<String, Double> divide(ThreadTimes times) {
        Map<String, Double> seconds = new LinkedHashMap<>();
        for (ThreadTimes.Used used : times.byThread().values()) {
            ThreadKind kind = ThreadKind.of(used.name());
            if (kind.isOneThing()) {
                seconds.merge(kind.title, used.userSeconds() + used.systemSeconds(), Double::sum);
            } else {
                divide(kind, used.userSeconds(), java, "other Java", seconds);
                divide(kind, used.systemSeconds(), kernel, "other in the kernel", seconds);
            }
        }
        return seconds;
    }

    private static void divide(
            ThreadKind kind,
            double total,
            Map<ThreadKind, Map<FrameGroup, Integer>> samples,
            String unknown,
            Map<String, Double> seconds) {
        Map<FrameGroup, Integer> counts = samples.getOrDefault(kind, Map.of());
        int all = counts.values().stream().mapToInt(Integer::intValue).sum();
        if (all == 0) {
            seconds.merge(kind.title + ": " + unknown, total, Double::sum);
        }
        counts.forEach((group, count) -> seconds.merge(group.title, total * count / all, Double::sum));
    }
}
