package io.hawser.release.drill;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The faults that were done, and how soon their nodes were back: ready, and of use again, which the next canary tells that was begun
 * after the fault, goes through that node and arrives.
 *
 * <p>Thread: any.
 */
final class FaultLog {
    private final List<Done> done = new ArrayList<>();
    private final long startNanos;

    FaultLog(long startNanos) {
        this.startNanos = startNanos;
    }

    /** One fault. Guarded by the log. */
    private static final class Done {
        private final PlannedFault fault;
        private final long atNanos;
        private long backNanos;
        private @Nullable Long readyMillis;
        private @Nullable Long nextMillis;
        private @Nullable Long resentBytes;
        private @Nullable Long boundBytes;

        private Done(PlannedFault fault, long atNanos) {
            this.fault = fault;
            this.atNanos = atNanos;
            backNanos = atNanos;
        }
    }

    synchronized void begin(PlannedFault fault, long atNanos) {
        done.add(new Done(fault, atNanos));
    }

    /** The node of the last fault is being started again, or goes on: recovery is counted from here. */
    synchronized void back(long atNanos) {
        last().backNanos = atNanos;
    }

    /** It says that it is ready, so long after it was started. */
    synchronized void ready(long millis) {
        last().readyMillis = millis;
    }

    /** A canary arrived that was begun at {@code begunNanos}. */
    synchronized void arrived(CanaryRoute route, long begunNanos, long atNanos) {
        for (int i = done.size() - 1; i >= 0; i--) {
            Done each = done.get(i);
            if (each.nextMillis == null && begunNanos - each.atNanos >= 0 && route.passes(each.fault.node())) {
                each.nextMillis = Math.max(0, TimeUnit.NANOSECONDS.toMillis(atNanos - each.backNanos));
            }
        }
    }

    /** Whether such a canary has arrived since the last fault. */
    synchronized boolean isOfUse() {
        return last().nextMillis != null;
    }

    /** What was sent again since the last fault, and the bound; nothing if nobody can say. */
    synchronized void resent(@Nullable Long bytes, @Nullable Long bound) {
        last().resentBytes = bytes;
        last().boundBytes = bound;
    }

    synchronized int count() {
        return done.size();
    }

    synchronized List<DrillReport.FaultLine> lines() {
        List<DrillReport.FaultLine> lines = new ArrayList<>();
        for (Done each : done) {
            lines.add(new DrillReport.FaultLine(
                    lines.size() + 1,
                    TimeUnit.NANOSECONDS.toMillis(each.atNanos - startNanos),
                    each.fault.kind().words(),
                    each.fault.node().command(),
                    each.readyMillis,
                    each.nextMillis,
                    each.resentBytes,
                    each.boundBytes));
        }
        return lines;
    }

    private Done last() {
        return done.get(done.size() - 1);
    }
}
