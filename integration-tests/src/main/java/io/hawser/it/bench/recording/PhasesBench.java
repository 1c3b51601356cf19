package io.hawser.it.bench.recording;

import io.hawser.it.bench.report.Bench;
import io.hawser.it.bench.report.BenchReport;
import io.hawser.it.bench.report.Measurement;
import io.hawser.it.bench.report.MedianAndRange;
import io.hawser.it.harness.ChainUpload;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;

/**
 * Uploads by FTP through three recorded processes, and where the time of each went, stage by stage: how long each stage was at work,
 * how long it alone was, and from when until when. The first upload is cold and is not counted.
 */
public record PhasesBench(ProcessChain chain, Path directory, long sizeBytes, int runs) implements Bench {
    private static final String CLIENTS_THREAD = "upload";
    private static final String CLIENTS_WRITES = "jdk.SocketWrite";
    /** What is over in a node a moment later is over before the next upload. */
    private static final long PAUSE_MILLIS = 500;

    /** From when until when an upload went, in ns since 1970. */
    private record Window(long from, long to) {
        static Window of(ChainUpload upload) {
            long from = StageEvents.nanos(upload.began());
            return new Window(from, from + (long) (upload.deliveredSeconds() * 1e9));
        }
    }

    @Override
    public boolean run(BenchReport report) throws IOException, InterruptedException {
        NodeRecordings recordings = new NodeRecordings(directory.resolve("recordings"), StageEvents.EVENTS);
        recordings.of(chain);
        chain.startAll();
        List<ChainUpload> uploads = new ArrayList<>();
        boolean equal = true;
        Path own = directory.resolve("client.jfr");
        try (Recording client = new Recording()) {
            client.enable(CLIENTS_WRITES).withThreshold(Duration.ZERO).withoutStackTrace();
            client.start();
            for (int i = 0; i <= runs; i++) {
                ChainUpload upload = ChainUpload.of(chain, "bench-" + i, sizeBytes, i);
                report.say("%-7s %.2f s client to delivered", i == 0 ? "cold" : "warm " + i, upload.deliveredSeconds());
                if (i > 0) {
                    uploads.add(upload);
                }
                Thread.sleep(PAUSE_MILLIS);
                equal &= upload.equal();
            }
            client.dump(own);
        }
        StageEvents events = events(recordings, own, uploads);
        figures(report, uploads, events.pieces());
        return report.noteEqual(equal);
    }

    /** Stops the nodes and reads what was recorded. */
    private StageEvents events(NodeRecordings recordings, Path own, List<ChainUpload> uploads) throws IOException {
        StageEvents events = new StageEvents();
        for (Part part : List.of(Part.AGENT_A, Part.AGENT_B, Part.BROKER)) {
            int unused = chain.stop(part);
        }
        for (Part part : Part.values()) {
            recordings.read(part, event -> events.take(part, event));
        }
        List<Interval> writes = new ArrayList<>();
        NodeRecordings.read(own, event -> {
            if (isOfTheData(event)) {
                writes.add(StageEvents.interval(event, event.getLong("bytesWritten")));
            }
        });
        writes.forEach(write -> events.add(Stage.CLIENT_WRITES, write));
        for (ChainUpload upload : uploads) {
            Window window = Window.of(upload);
            events.addWaits(window.from(), window.to());
            addClient(events, upload, window, writes);
        }
        return events;
    }

    private boolean isOfTheData(RecordedEvent event) {
        return event.getEventType().getName().equals(CLIENTS_WRITES)
                && event.getThread().getJavaName().equals(CLIENTS_THREAD)
                && event.getInt("port") != chain.ftp().port();
    }

    /** What the client does before its first byte, and waits for behind its last one. */
    private static void addClient(StageEvents events, ChainUpload upload, Window window, List<Interval> writes) {
        List<Interval> some = Interval.union(writes.stream()
                .flatMap(write -> write.within(window.from(), window.to()).stream())
                .toList());
        if (!some.isEmpty()) {
            events.add(
                    Stage.CLIENT_OPENS, new Interval(window.from(), some.get(0).begin(), 0));
            long lastByte = some.get(some.size() - 1).end();
            long reply = window.from() + (long) (upload.replySeconds() * 1e9);
            events.add(Stage.CLIENT_END, new Interval(lastByte, Math.max(lastByte, reply), 0));
        }
    }

    private void figures(BenchReport report, List<ChainUpload> uploads, Map<Stage, List<Interval>> pieces) {
        Map<Stage.Phase, List<Interval>> phases = new EnumMap<>(Stage.Phase.class);
        pieces.forEach((stage, some) ->
                phases.computeIfAbsent(stage.phase, phase -> new ArrayList<>()).addAll(some));
        List<StageTimes<Stage>> byStage = times(uploads, pieces);
        List<StageTimes<Stage.Phase>> byPhase = times(uploads, phases);
        for (Stage stage : Stage.values()) {
            add(report, Map.of("stage", stage.where + ": " + stage.title), byStage, stage);
        }
        for (Stage.Phase phase : Stage.Phase.values()) {
            add(report, Map.of("phase", phase.title), byPhase, phase);
        }
        report.add(Measurement.of(
                Map.of("whole", "no stage at work"), Measurement.SECONDS, byStage, StageTimes::nobodySeconds));
        double busiest =
                byStage.stream().mapToDouble(PhasesBench::busiestSeconds).min().orElse(0);
        report.add(Measurement.of(
                        Map.of("whole", "client to delivered"),
                        Measurement.SECONDS,
                        uploads,
                        ChainUpload::deliveredSeconds)
                .limited(busiest, "the busiest stage, in the run where that was shortest, if all others cost nothing"));
        report.note(
                "Stages run side by side, so their busy times add up to more than the whole. 'alone': no other stage was at"
                        + " work; 'work': all pieces added up, also such as were done at once; 'from', 'to': first begin and last end,"
                        + " since the client began to connect. Medians of the warm runs.");
    }

    private static double busiestSeconds(StageTimes<Stage> run) {
        return run.byStage().values().stream()
                .mapToDouble(StageTimes.Times::busySeconds)
                .max()
                .orElse(0);
    }

    private static <S> List<StageTimes<S>> times(List<ChainUpload> uploads, Map<S, List<Interval>> pieces) {
        return uploads.stream()
                .map(Window::of)
                .map(window -> StageTimes.of(pieces, window.from(), window.to()))
                .toList();
    }

    /** The time in which a stage was at work, and its other numbers. */
    private static <S> void add(BenchReport report, Map<String, String> of, List<StageTimes<S>> runs, S stage) {
        List<StageTimes.Times> times = runs.stream()
                .filter(run -> run.byStage().containsKey(stage))
                .map(run -> run.byStage().get(stage))
                .toList();
        if (times.isEmpty()) {
            return;
        }
        report.add(Measurement.of(of, Measurement.SECONDS, times, StageTimes.Times::busySeconds)
                .also("alone s", MedianAndRange.median(times, StageTimes.Times::aloneSeconds))
                .also("work s", MedianAndRange.median(times, StageTimes.Times::workSeconds))
                .also("from s", MedianAndRange.median(times, StageTimes.Times::firstSeconds))
                .also("to s", MedianAndRange.median(times, StageTimes.Times::lastSeconds))
                .also("pieces", MedianAndRange.median(times, StageTimes.Times::count))
                .also("MB", MedianAndRange.median(times, each -> each.bytes() / 1e6)));
    }

    @Override
    public void end() {
        chain.end();
    }
}
