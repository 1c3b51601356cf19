package io.hawser.it.bench;

import io.hawser.it.bench.report.Bench;
import io.hawser.it.bench.report.BenchReport;
import io.hawser.it.bench.report.Measurement;
import io.hawser.it.harness.HeapProbe;
import io.hawser.ops.cli.AdminClient;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Very many uploads by FTP at once, beside one that has as many bytes as all of them; and what uploads that stand still in the middle
 * of a fragment cost another one in time, and each node in heap. An upload is over when its final reply says <i>delivered</i>: all three copies are durable, and the far one has been read
 * back and verified.
 */
final class CrowdBench implements Bench {
    /** What an upload that stands still has sent: a fragment, which is at the far end by then, and the beginning of the next. */
    private static final int BEGUN_BYTES = (1 << 20) + (64 << 10);

    /** Those of the run before may not have ended when those of the next come. */
    private static final int SPARE_CONNECTIONS = 100;

    private static final Duration SETTLE_LIMIT = Duration.ofMinutes(2);
    /** In which no further upload comes to the far end. */
    private static final Duration SETTLED = Duration.ofSeconds(5);

    private static final long POLL_MILLIS = 200;
    private static final String LANDING = "hawser_landing_transfers";

    private static final double HEAP_AIM_KIB = 32;
    private static final double RATE_AIM = 0.9;

    private final ProcessChain chain;
    private final int transfers;
    private final long sizeBytes;
    private final int runs;
    private boolean equal = true;

    /** @param sizeBytes of the one upload, and of all the others together */
    CrowdBench(ProcessChain chain, int transfers, long sizeBytes, int runs) {
        String connections = Integer.toString(transfers + SPARE_CONNECTIONS);
        this.chain = chain.with(
                Part.AGENT_A,
                "--custody",
                "delivered",
                "--max-connections",
                connections,
                "--max-connections-per-peer",
                connections,
                "--max-connections-per-account",
                connections);
        this.transfers = transfers;
        this.sizeBytes = sizeBytes;
        this.runs = runs;
    }

    @Override
    public boolean run(BenchReport report) throws IOException, InterruptedException {
        chain.startAll();
        List<Double> ones = new ArrayList<>();
        List<Double> crowds = new ArrayList<>();
        for (int run = 0; run <= runs; run++) {
            double one = rate("one-" + run + "-", 1, sizeBytes);
            double crowd = rate("crowd-" + run + "-", transfers, sizeBytes / transfers);
            report.say(
                    "%-8s one %.0f MB/s, %,d at once %.0f MB/s",
                    run == 0 ? "cold" : "warm " + run, one, transfers, crowd);
            if (run > 0) {
                ones.add(one);
                crowds.add(crowd);
            }
        }
        Measurement single = Measurement.of(Map.of("upload", "one"), "MB/s", ones);
        report.add(single);
        report.add(Measurement.of(Map.of("upload", transfers + " at once, together"), "MB/s", crowds)
                .limited(single.spread().median(), "one upload with as many bytes, in the same minutes")
                .aimed(RATE_AIM * single.spread().median()));
        standing(report, single.spread().median());
        return report.noteEqual(equal);
    }

    /** MB/s, from the first connect to the last reply; the files are compared afterwards. */
    private double rate(String prefix, int count, long bytesEach) throws IOException, InterruptedException {
        CrowdUploads uploads = new CrowdUploads(chain.ftp(), prefix, count, bytesEach, bytesEach);
        long began = System.nanoTime();
        uploads.start();
        uploads.awaitReplies();
        double seconds = (System.nanoTime() - began) / 1e9;
        equal &= uploads.compare(chain.target());
        return count * bytesEach / 1e6 / seconds;
    }

    private void standing(BenchReport report, double undisturbed) throws IOException, InterruptedException {
        Map<Part, Long> before = heapBytes();
        CrowdUploads idle = new CrowdUploads(chain.ftp(), "idle-", transfers, 2L * BEGUN_BYTES, BEGUN_BYTES);
        idle.start();
        idle.awaitStandstill();
        long there = awaitFragmentsAtTheFarEnd();
        report.note(String.format(
                "of %,d that stand still %,d are open at the broker and at the far end; the others wait at agent-a, since so many that"
                        + " are not complete may be open there",
                transfers, there));
        Map<Part, Long> during = heapBytes();
        double beside = rate("beside-", 1, sizeBytes);
        idle.goOn();
        idle.awaitReplies();
        equal &= idle.compare(chain.target());
        report.add(Measurement.of(
                        Map.of("upload", "one beside " + transfers + " that stand still"), "MB/s", List.of(beside))
                .limited(undisturbed, "one upload alone, in the same minutes")
                .aimed(RATE_AIM * undisturbed));
        for (Part part : Part.values()) {
            long here = part == Part.AGENT_A ? transfers : there;
            double each = (during.getOrDefault(part, 0L) - before.getOrDefault(part, 0L)) / 1024.0 / here;
            report.add(Measurement.of(
                            Map.of("upload", "each that stands still: heap of " + part.command()), "KiB", List.of(each))
                    .aimed(HEAP_AIM_KIB));
        }
    }

    /** Returns how many uploads' whole fragments have a place in the far end's landing area, when no more of them come. */
    private long awaitFragmentsAtTheFarEnd() throws InterruptedException {
        long began = System.nanoTime();
        long changed = began;
        long last = 0;
        while (true) {
            long now = System.nanoTime();
            long there = landing();
            changed = there == last ? changed : now;
            last = there;
            if (there >= transfers || (there > 0 && now - changed > SETTLED.toNanos())) {
                return there;
            }
            if (now - began > SETTLE_LIMIT.toNanos()) {
                throw new IllegalStateException("no upload has come to the far end");
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private long landing() {
        byte[] page = new AdminClient(chain.admin(Part.AGENT_B).orElseThrow(), null).get("/metrics", Map.of());
        return new String(page, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith(LANDING + " "))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(LANDING.length())))
                .sum();
    }

    private Map<Part, Long> heapBytes() throws IOException, InterruptedException {
        Map<Part, Long> used = new EnumMap<>(Part.class);
        for (Part part : Part.values()) {
            used.put(part, HeapProbe.usedBytes(chain.node(part).pid()));
        }
        return used;
    }

    @Override
    public void end() {
        chain.end();
    }
}
