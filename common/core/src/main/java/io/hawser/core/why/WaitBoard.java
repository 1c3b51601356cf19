package io.hawser.core.why;

import io.hawser.core.model.TransferKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts for the transfers in flight at a node where each waits on each hop, over the last minute. A sampler calls {@link #sample} every
 * 200 ms; a transfer that is no longer sampled is forgotten after a minute, or after a second where others need its place. At most
 * {@value #MAX_WINDOWS} are counted, of 300 bytes each; of others only the present is known.
 *
 * <p>Thread: the node's loop.
 */
public final class WaitBoard {
    /** How often {@link #sample} is to be called for each transfer, in milliseconds. */
    public static final long SAMPLE_MILLIS = 200;

    /** The windows of {@link #verdicts}, in seconds. */
    public static final List<Integer> WINDOWS = List.of(5, WaitWindow.SECONDS);

    static final int MAX_WINDOWS = 4096;
    private static final long KEPT_NANOS = WaitWindow.SECONDS * 1_000_000_000L;
    private static final long SWEEP_NANOS = 5_000_000_000L;
    private static final long EVICT_NANOS = 1_000_000_000L;
    private static final long LONG_AGO = Long.MIN_VALUE / 2;

    private final Map<String, Map<TransferKey, WaitWindow>> byHop = new HashMap<>();
    private int size;
    private long sweptNanos = LONG_AGO;
    private long evictedNanos = LONG_AGO;

    /** The transfer waits there now. */
    public void sample(String hop, TransferKey key, WaitStage stage, long nowNanos) {
        Map<TransferKey, WaitWindow> windows = byHop.computeIfAbsent(hop, unused -> new HashMap<>());
        WaitWindow window = windows.get(key);
        if (window == null && hasPlace(nowNanos)) {
            window = new WaitWindow(nowNanos);
            windows.put(key, window);
            size++;
        }
        if (window != null) {
            window.now(stage, nowNanos);
        }
    }

    /** Whether one more can be counted. Many transfers that are over in a moment must not keep the others out. */
    private boolean hasPlace(long nowNanos) {
        if (size >= MAX_WINDOWS && nowNanos - evictedNanos >= EVICT_NANOS) {
            evictedNanos = nowNanos;
            forget(nowNanos, EVICT_NANOS);
        }
        return size < MAX_WINDOWS;
    }

    /** Forgets what has not been sampled for a minute. To be called after each round of samples. */
    public void sweep(long nowNanos) {
        if (nowNanos - sweptNanos < SWEEP_NANOS) {
            return;
        }
        sweptNanos = nowNanos;
        forget(nowNanos, KEPT_NANOS);
        byHop.values().removeIf(Map::isEmpty);
    }

    /** Forgets what has not been sampled for so long. Not the hops: {@link #sample} holds the map of one. */
    private void forget(long nowNanos, long keptNanos) {
        for (Map<TransferKey, WaitWindow> windows : byHop.values()) {
            int before = windows.size();
            windows.values().removeIf(window -> nowNanos - window.lastNanos() > keptNanos);
            size -= before - windows.size();
        }
    }

    /** How many transfers are counted, each once for each hop. */
    public int size() {
        return size;
    }

    /** The verdicts about a transfer on a hop, one for each of {@link #WINDOWS}. */
    public List<Verdict> verdicts(HopWait wait, TransferKey key, long nowNanos) {
        WaitWindow kept = byHop.getOrDefault(wait.hop(), Map.of()).get(key);
        WaitWindow window = kept == null ? new WaitWindow(nowNanos) : kept;
        window.asked(wait.stage(), nowNanos);
        List<Verdict> verdicts = new ArrayList<>(WINDOWS.size());
        for (int seconds : WINDOWS) {
            verdicts.add(Verdict.of(seconds, window.counts(seconds), wait));
        }
        return verdicts;
    }
}
