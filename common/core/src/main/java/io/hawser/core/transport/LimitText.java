package io.hawser.core.transport;

import io.hawser.core.config.ByteSize;
import io.hawser.ptcp.tune.SendLimit;
import java.util.Locale;

/**
 * Writes how fast a session sends as a phrase, such as "12 MiB/s over 8 streams, round trip 101 ms, 1.2% of the segments sent again".
 *
 * <p>Thread: any.
 */
final class LimitText {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double SHOWN_LOSS = 0.001;

    private LimitText() {}

    static String of(SendLimit limit, int streams) {
        StringBuilder text = new StringBuilder(ByteSize.human(limit.bytesPerSecond()))
                .append("/s over ")
                .append(streams)
                .append(streams == 1 ? " stream" : " streams");
        if (limit.roundTripNanos() > 0) {
            text.append(String.format(Locale.ROOT, ", round trip %.1f ms", limit.roundTripNanos() / NANOS_PER_MILLI));
        }
        if (limit.lossShare() >= SHOWN_LOSS) {
            text.append(String.format(Locale.ROOT, ", %.1f%% of the segments sent again", 100 * limit.lossShare()));
        }
        return text.toString();
    }
}
