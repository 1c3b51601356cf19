package io.hawser.send;

import io.hawser.ops.observe.Json;
import java.io.PrintWriter;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells a program how far a send is: one line of JSON on standard output for each object when it is settled, and one a second for the whole
 * if that has changed. Standard error says what is waited for, as where there is no terminal.
 *
 * <p>Thread: main only.
 */
final class JsonDisplay implements SendDisplay {
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final PrintWriter out;
    private final PlainDisplay reasons;
    private final SendRun.Order order;
    private final Set<String> said = new HashSet<>();
    private long lastNanos = System.nanoTime();
    private @Nullable SendProgress last;

    JsonDisplay(PrintWriter out, PrintWriter err, SendRun.Order order) {
        this.out = out;
        this.reasons = new PlainDisplay(err, Long.MAX_VALUE);
        this.order = order;
    }

    /** The whole, as JSON. */
    private record ProgressLine(
            String event,
            long totalBytes,
            long brokeredBytes,
            long bytesPerSecond,
            long objects,
            long objectsDone,
            @Nullable Long secondsLeft,
            @Nullable String because,
            List<FarEndLine> farEnds) {}

    private record FarEndLine(
            String subscription, long durableBytes, long bytesPerSecond, long delivered, boolean away) {}

    @Override
    public void show(SendProgress progress) {
        reasons.show(progress);
        long now = System.nanoTime();
        if (now - lastNanos < INTERVAL_NANOS || progress.equals(last)) {
            return;
        }
        lastNanos = now;
        last = progress;
        out.println(Json.line(new ProgressLine(
                "progress",
                progress.totalBytes(),
                progress.brokered().bytes(),
                progress.brokered().bytesPerSecond(),
                progress.objects(),
                progress.objectsDone(),
                progress.secondsLeft(),
                progress.because().isEmpty() ? null : progress.because(),
                progress.farEnds().stream().map(JsonDisplay::line).toList())));
        out.flush();
    }

    private static FarEndLine line(SendProgress.FarEndLeg farEnd) {
        return new FarEndLine(
                farEnd.subscription(),
                farEnd.leg().bytes(),
                farEnd.leg().bytesPerSecond(),
                farEnd.delivered(),
                farEnd.away());
    }

    @Override
    public void done(SentObject object) {
        if (said.add(object.entry().name())) {
            out.println(Json.line(ObjectLine.of(object, order, Optional.empty())));
            out.flush();
        }
    }

    /**
     * Says what became of all others.
     *
     * @param end why the run ended before everything was as far as was asked for; empty if it came to its end or its timeout
     */
    void finish(SendPlan plan, List<SentObject> objects, Optional<String> end) {
        for (SentObject object : objects) {
            if (said.add(object.entry().name())) {
                out.println(Json.line(ObjectLine.of(object, order, end)));
            }
        }
        plan.entries().stream()
                .skip(objects.size())
                .forEach(entry -> out.println(Json.line(ObjectLine.notBegun(entry, end.orElse(null)))));
        plan.skipped().forEach(skipped -> out.println(Json.line(ObjectLine.of(skipped))));
        out.flush();
    }
}
