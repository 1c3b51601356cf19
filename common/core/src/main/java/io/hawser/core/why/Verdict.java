package io.hawser.core.why;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * What has held a transfer back on a hop in a window of time.
 *
 * @param seconds the length of the window
 * @param bottleneck the stage in which it waited most. If nothing moves now, the stage that stops it, in the shortest window
 * @param shares the part of the time that it waited in each stage, the largest first; together 1
 * @param detail what is known of the bottleneck besides, as a phrase; empty if nothing is
 */
public record Verdict(int seconds, WaitStage bottleneck, List<Share> shares, String detail) {
    /** A stop counts at once in windows up to this length. */
    private static final int SHORT_SECONDS = 5;

    /**
     * A part of the time.
     *
     * @param share 0 to 1
     */
    public record Share(WaitStage stage, double share) {}

    public Verdict {
        shares = List.copyOf(shares);
    }

    static Verdict of(int seconds, Map<WaitStage, Integer> counts, HopWait now) {
        double sum = counts.values().stream().mapToInt(Integer::intValue).sum();
        List<Share> shares = new ArrayList<>();
        counts.forEach((stage, count) -> shares.add(new Share(stage, count / sum)));
        shares.sort(Comparator.comparingDouble(Share::share).reversed());
        boolean stopped = now.stage().stops() || now.stage().isOver();
        WaitStage bottleneck = seconds <= SHORT_SECONDS && stopped
                ? now.stage()
                : shares.get(0).stage();
        return new Verdict(seconds, bottleneck, shares, bottleneck == now.stage() ? now.detail() : "");
    }

    /** The verdict in a sentence or two: what holds it back, for which part of the time, and what one can do. */
    public String sentence() {
        StringBuilder text = new StringBuilder(bottleneck.sentence());
        if (!detail.isEmpty()) {
            text.append(": ").append(detail);
        }
        double share = shares.stream()
                .filter(each -> each.stage() == bottleneck)
                .mapToDouble(Share::share)
                .findFirst()
                .orElse(1);
        if (!bottleneck.isOver()) {
            text.append(" (")
                    .append(Math.round(share * 100))
                    .append("% of the last ")
                    .append(seconds)
                    .append(" s)");
        }
        text.append('.');
        if (!bottleneck.remedy().isEmpty()) {
            text.append(' ').append(bottleneck.remedy()).append('.');
        }
        return text.toString();
    }
}
