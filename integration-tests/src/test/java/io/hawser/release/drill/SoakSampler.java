package io.hawser.release.drill;

import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Samples the three nodes all the time, and says at the end what is not flat. A life shorter than {@link #SETTLED_SECONDS} is not sampled: it is
 * still loading classes.
 *
 * <p>Thread: its own; the results are for whoever has stopped it.
 */
final class SoakSampler {
    private static final long PAUSE_MILLIS = 10_000;
    private static final double SETTLED_SECONDS = 45;

    /** Growth over the whole run that is still flat, as a share of the median, or so much at least. */
    private static final double SHARE = 0.10;

    private static final Map<String, Double> AT_LEAST = Map.of(
            SoakProbe.HEAP, 2048.0,
            SoakProbe.METASPACE, 1024.0,
            SoakProbe.RESIDENT, 8192.0,
            SoakProbe.HANDLES, 5.0,
            SoakProbe.THREADS, 3.0,
            SoakProbe.FILES, 10.0);

    private final ProcessChain chain;
    private final SoakProbe probe;
    private final Map<Part, Map<String, SoakSeries>> series = new EnumMap<>(Part.class);
    private final Map<Part, Integer> missed = new EnumMap<>(Part.class);
    private final Map<Long, Long> bornNanos = new LinkedHashMap<>();
    private final Thread thread = new Thread(this::run, "soak-sampler");
    private final long startNanos = System.nanoTime();
    private volatile boolean stopping;

    SoakSampler(ProcessChain chain) {
        this.chain = chain;
        probe = new SoakProbe(chain);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    void stop() throws InterruptedException {
        stopping = true;
        thread.join();
    }

    private void run() {
        try {
            while (!stopping) {
                for (Part part : Part.values()) {
                    sample(part);
                }
                for (long slept = 0; slept < PAUSE_MILLIS && !stopping; slept += 100) {
                    Thread.sleep(100);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void sample(Part part) {
        if (stopping || !chain.isRunning(part)) {
            return;
        }
        try {
            long pid = chain.node(part).pid();
            long now = System.nanoTime();
            bornNanos.putIfAbsent(pid, now);
            if ((now - bornNanos.getOrDefault(pid, now)) / 1e9 < SETTLED_SECONDS) {
                return;
            }
            double seconds = (now - startNanos) / 1e9;
            probe.look(part, pid).forEach((what, value) -> series.computeIfAbsent(part, p -> new LinkedHashMap<>())
                    .computeIfAbsent(what, w -> new SoakSeries())
                    .add(seconds, value));
        } catch (IOException | IllegalStateException e) {
            missed.merge(part, 1, Integer::sum); // killed or stopped just now
        }
    }

    /** One line for each thing that was measured. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%-8s %-24s %8s %10s %10s %10s %9s",
                "node",
                "what",
                "samples",
                "median",
                "largest",
                "growth",
                ""));
        series.forEach((part, all) -> all.forEach((what, each) -> lines.add(String.format(
                Locale.ROOT,
                "%-8s %-24s %8d %10.0f %10.0f %10.1f %9s",
                part.command(),
                what,
                each.count(),
                each.median(),
                each.largest(),
                each.growth(),
                verdict(what, each)))));
        missed.forEach((part, count) -> lines.add(
                part.command() + ": " + count + " samples could not be taken, since it was killed or stopped"));
        return lines;
    }

    /** Whether everything is flat, and everything was measured. */
    boolean holds() {
        return series.size() == Part.values().length
                && series.values().stream()
                        .flatMap(all -> all.entrySet().stream())
                        .allMatch(
                                each -> verdict(each.getKey(), each.getValue()).equals("flat"));
    }

    private static String verdict(String what, SoakSeries series) {
        if (!series.isEnough()) {
            return "too few";
        }
        double allowed = Math.max(AT_LEAST.getOrDefault(what, 0.0), SHARE * series.median());
        return series.growth() <= allowed ? "flat" : "GROWS";
    }
}
