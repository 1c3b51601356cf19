package io.hawser.it.bench;

import io.hawser.common.config.ByteSize;
import io.hawser.common.observe.HopStatus;
import io.hawser.common.observe.TransferStatus;
import io.hawser.it.harness.Chain;
import io.hawser.it.harness.Chain.Part;
import io.hawser.it.harness.PacedUpload;
import io.hawser.it.harness.PatternStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Uploads by FTP at full speed through three processes, from the first byte until the broker has the receipt
 * <i>delivered</i>: then all three copies are durable, and the far one has been read back and verified. The first run is
 * cold (JVMs that have just started), the others are warm.
 *
 * <p>Thread: main only.
 */
final class ChainBench {
    private static final Duration LIMIT = Duration.ofMinutes(15);
    /** Asking costs the broker processor time, and is paid for by what is measured. */
    private static final long POLL_MILLIS = 50;

    /** What each writer of the disk's own measurement writes at most. */
    private static final long DISK_BYTES = 512L << 20;

    private static final long UNPACED = 1L << 50;

    private final Chain chain;
    private final Path directory;
    private final long sizeBytes;
    private final int runs;
    private final PrintWriter out;
    private final List<Run> results = new ArrayList<>();

    /** When each stage had all bytes, in seconds since the first byte, and the processors' time. */
    private record Run(
            double clientSeconds,
            double replySeconds,
            double brokerSeconds,
            double deliveredSeconds,
            double bytesPerSecond,
            Map<Part, Double> cpuSeconds) {}

    ChainBench(Chain chain, Path directory, long sizeBytes, int runs, PrintWriter out) {
        this.chain = chain;
        this.directory = directory;
        this.sizeBytes = sizeBytes;
        this.runs = runs;
        this.out = out;
    }

    /** Measures and prints; returns whether every file arrived with the right bytes. */
    boolean run() throws IOException, InterruptedException {
        sayWhatTheDiskDoes("disk");
        chain.startAll();
        boolean equal = true;
        for (int i = 0; i <= runs; i++) {
            Run run = once("bench-" + i, i);
            results.add(run);
            print(i == 0 ? "cold" : "warm " + i, run);
            Path file = chain.target().resolve("bench-" + i);
            equal &= PatternStream.matches(file, sizeBytes, i);
            Files.delete(file);
        }
        chain.killAll();
        sayWhatTheDiskDoes("disk again, after the runs");
        say(
                "client to delivered                  cold %s, warm %s (median)",
                rate(results.get(0).bytesPerSecond()), rate(warmMedian()));
        say(equal ? "all bytes compared equal" : "NOT EQUAL");
        return equal;
    }

    private void sayWhatTheDiskDoes(String when) throws IOException {
        long size = Math.min(sizeBytes, DISK_BYTES);
        say(
                "%s: 3 concurrent forced writers %s each, with one of the files read back %s each",
                when,
                rate(DiskBaseline.bytesPerSecond(directory, size, false)).strip(),
                rate(DiskBaseline.bytesPerSecond(directory, size, true)).strip());
    }

    private Run once(String name, long seed) throws InterruptedException {
        Map<Part, Double> cpuBefore = cpu();
        long began = System.nanoTime();
        PacedUpload upload = PacedUpload.start(chain.ftp(), name, new PatternStream(sizeBytes, seed), UNPACED);
        double client = -1;
        double reply = -1;
        double broker = -1;
        while (true) {
            double now = (System.nanoTime() - began) / 1e9;
            if (client < 0 && upload.sentBytes() >= sizeBytes) {
                client = now;
            }
            if (reply < 0 && upload.reply().isDone()) {
                upload.reply().join();
                reply = now;
            }
            Optional<TransferStatus> status = chain.status(Part.BROKER, name);
            if (broker < 0 && status.map(ChainBench::atBroker).orElse(0L) >= sizeBytes) {
                broker = now;
            }
            // The receipt, not the file's appearance: a name appears before its directory was forced.
            if (status.map(TransferStatus::state).orElse("").equals("delivered")) {
                double delivered = (System.nanoTime() - began) / 1e9;
                return new Run(client, reply, broker, delivered, sizeBytes / delivered, since(cpuBefore));
            }
            if (now > LIMIT.toSeconds()) {
                throw new IllegalStateException(name + " was not delivered within " + LIMIT.toMinutes() + " minutes");
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private void print(String what, Run run) {
        say("%-8s %s   client to delivered, %.2f s", what, rate(run.bytesPerSecond()), run.deliveredSeconds());
        say(
                "         last byte left the client %.2f s | final reply (spooled) %.2f s | durable at the broker %.2f s"
                        + " | delivered %.2f s",
                run.clientSeconds(), run.replySeconds(), run.brokerSeconds(), run.deliveredSeconds());
        say(
                "         processor time: agent-a %.2f s, broker %.2f s, agent-b %.2f s; of %.2f s on %d processors",
                run.cpuSeconds().getOrDefault(Part.AGENT_A, 0.0),
                run.cpuSeconds().getOrDefault(Part.BROKER, 0.0),
                run.cpuSeconds().getOrDefault(Part.AGENT_B, 0.0),
                run.deliveredSeconds() * Runtime.getRuntime().availableProcessors(),
                Runtime.getRuntime().availableProcessors());
    }

    private double warmMedian() {
        return results.stream()
                .skip(1)
                .mapToDouble(Run::bytesPerSecond)
                .sorted()
                .skip((results.size() - 1) / 2)
                .findFirst()
                .orElse(0);
    }

    private Map<Part, Double> cpu() {
        Map<Part, Double> seconds = new EnumMap<>(Part.class);
        for (Part part : Part.values()) {
            seconds.put(
                    part,
                    ProcessHandle.of(chain.node(part).pid())
                            .flatMap(handle -> handle.info().totalCpuDuration())
                            .map(duration -> duration.toMillis() / 1e3)
                            .orElse(0.0));
        }
        return seconds;
    }

    private Map<Part, Double> since(Map<Part, Double> before) {
        Map<Part, Double> seconds = cpu();
        seconds.replaceAll((part, value) -> value - before.getOrDefault(part, 0.0));
        return seconds;
    }

    private static long atBroker(TransferStatus status) {
        return status.hops().stream()
                .filter(hop -> hop.hop().equals(HopStatus.PUBLISHER_TO_BROKER))
                .mapToLong(HopStatus::durableBytes)
                .findFirst()
                .orElse(0);
    }

    private static String rate(double bytesPerSecond) {
        return String.format(Locale.ROOT, "%6.0f MB/s", bytesPerSecond / 1e6);
    }

    private void say(String format, Object... values) {
        out.println(String.format(Locale.ROOT, format, values));
        out.flush();
    }

    /** The line above the numbers: what was run, and where. */
    static String title(long sizeBytes, int runs, Path directory) {
        return String.format(
                Locale.ROOT,
                "bench chain: %s by FTP, 1 cold and %d warm runs, %d processors, Java %s, in %s",
                ByteSize.human(sizeBytes),
                runs,
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().feature(),
                directory);
    }
}
