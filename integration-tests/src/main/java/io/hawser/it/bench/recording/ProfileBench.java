package io.hawser.it.bench.recording;

import io.hawser.it.bench.report.Bench;
import io.hawser.it.bench.report.BenchReport;
import io.hawser.it.bench.report.Measurement;
import io.hawser.it.harness.ChainUpload;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;

/** What a byte costs at each node: processor time of the warm uploads of a chain, by what it was spent on. */
public record ProfileBench(ProcessChain chain, Path directory, long sizeBytes, int runs) implements Bench {
    private static final String JAVA_SAMPLE = "jdk.ExecutionSample";
    private static final String NATIVE_SAMPLE = "jdk.NativeMethodSample";
    private static final Map<String, Map<String, String>> EVENTS = Map.of(
            JAVA_SAMPLE, Map.of("period", "10 ms"),
            NATIVE_SAMPLE, Map.of("period", "10 ms"));

    private static final double GIB = 1 << 30;

    @Override
    public boolean run(BenchReport report) throws IOException, InterruptedException {
        NodeRecordings recordings = new NodeRecordings(directory.resolve("recordings"), EVENTS);
        recordings.of(chain);
        chain.startAll();
        boolean equal = upload(report, "cold", 0);
        Map<Part, ThreadTimes> before = times();
        long from = StageEvents.nanos(Instant.now());
        for (int i = 1; i <= runs; i++) {
            equal &= upload(report, "warm " + i, i);
        }
        long to = StageEvents.nanos(Instant.now());
        Map<Part, ThreadTimes> after = times();
        for (Part part : List.of(Part.AGENT_A, Part.AGENT_B, Part.BROKER)) {
            int unused = chain.stop(part);
        }
        for (Part part : Part.values()) {
            ProcessorShares shares = new ProcessorShares();
            recordings.read(part, event -> {
                long at = StageEvents.nanos(event.getStartTime());
                if (at >= from && at <= to) {
                    take(shares, event);
                }
            });
            ThreadTimes used = Objects.requireNonNull(after.get(part)).since(Objects.requireNonNull(before.get(part)));
            figures(report, part, shares.divide(used));
        }
        return report.noteEqual(equal);
    }

    private boolean upload(BenchReport report, String which, int number) throws IOException, InterruptedException {
        ChainUpload upload = ChainUpload.of(chain, "bench-" + number, sizeBytes, number);
        report.say("%-7s %.2f s client to delivered", which, upload.deliveredSeconds());
        return upload.equal();
    }

    private Map<Part, ThreadTimes> times() throws IOException {
        Map<Part, ThreadTimes> times = new EnumMap<>(Part.class);
        for (Part part : Part.values()) {
            times.put(part, ThreadTimes.of(chain.node(part).pid()));
        }
        return times;
    }

    private static void take(ProcessorShares shares, RecordedEvent event) {
        String type = event.getEventType().getName();
        if (!type.equals(JAVA_SAMPLE) && !type.equals(NATIVE_SAMPLE)) {
            return;
        }
        RecordedThread thread = event.getThread("sampledThread");
        RecordedStackTrace trace = event.getStackTrace();
        if (thread == null || thread.getJavaName() == null || trace == null) {
            return;
        }
        List<String> stack = trace.getFrames().stream()
                .map(frame -> frame.getMethod().getType().getName() + "."
                        + frame.getMethod().getName())
                .toList();
        if (type.equals(JAVA_SAMPLE)) {
            shares.ranJava(thread.getJavaName(), stack);
        } else {
            shares.ranNative(thread.getJavaName(), stack);
        }
    }

    private void figures(BenchReport report, Part part, Map<String, Double> seconds) {
        double perGib = 1e3 / (runs * (sizeBytes / GIB));
        double all = seconds.values().stream().mapToDouble(Double::doubleValue).sum();
        seconds.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .filter(each -> each.getValue() > 0)
                .forEach(each -> report.add(figure(part, each.getKey(), each.getValue() * perGib)
                        .also("% of the node", 100 * each.getValue() / all)));
        report.add(figure(part, "all", all * perGib));
    }

    private static Measurement figure(Part part, String what, double millis) {
        return Measurement.of(Measurement.labels("node", part.command(), "spent on", what), "ms/GiB", List.of(millis));
    }

    @Override
    public void end() {
        chain.end();
    }
}
