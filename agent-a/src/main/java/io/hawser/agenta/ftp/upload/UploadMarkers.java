package io.hawser.agenta.ftp.upload;

import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.modee.RangeText;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The markers of one upload in MODE E (GFD.20 section 4.2): 112 says how much has come, 111 which bytes need not be sent again. One
 * pair at the beginning, one every five seconds, one before the final reply. They also keep the control connection from
 * looking idle.
 *
 * <p>Thread: the loop.
 */
final class UploadMarkers {
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** A marker stays a line that clients can read; what is more comes in further ones. */
    private static final int MAX_RANGES_PER_LINE = 64;

    private final FtpSession session;
    private final LongSupplier receivedBytes;
    private final FragmentRanges told = new FragmentRanges();
    private FragmentRanges untold = new FragmentRanges();
    private @Nullable ScheduledFuture<?> timer;

    /** Markers for what {@code receivedBytes} counts. */
    UploadMarkers(FtpSession session, LongSupplier receivedBytes) {
        this.session = session;
        this.receivedBytes = receivedBytes;
    }

    void begin() {
        tell();
        timer = session.later(INTERVAL_NANOS, this::begin);
    }

    /** These bytes, as the client counts them, need not be sent again. */
    void safe(FragmentRange bytes) {
        FragmentRanges fresh = FragmentRanges.of(bytes.start(), bytes.end());
        told.runs().forEach(run -> fresh.remove(run.start(), run.end()));
        untold.addAll(fresh);
    }

    void stop() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    void tell() {
        session.marker(new FtpReply(
                ReplyCode.PERFORMANCE_MARKER,
                List.of(
                        "Perf Marker",
                        String.format(Locale.ROOT, "Timestamp:  %.1f", System.currentTimeMillis() / 1000.0),
                        "Stripe Index: 0",
                        "Stripe Bytes Transferred: " + receivedBytes.getAsLong(),
                        "Total Stripe Count: 1",
                        "End.")));
        List<FragmentRange> runs = untold.runs();
        told.addAll(untold);
        untold = new FragmentRanges();
        for (int from = 0; from < runs.size(); from += MAX_RANGES_PER_LINE) {
            FragmentRanges line = new FragmentRanges();
            runs.subList(from, Math.min(runs.size(), from + MAX_RANGES_PER_LINE))
                    .forEach(run -> line.add(run.start(), run.end()));
            session.marker(FtpReply.of(ReplyCode.RANGE_MARKER, "Range Marker " + RangeText.format(line)));
        }
    }
}
