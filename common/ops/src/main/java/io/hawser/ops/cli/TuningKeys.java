package io.hawser.ops.cli;

import io.hawser.core.config.ByteRate;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigKey;
import io.hawser.ptcp.CongestionControls;
import io.hawser.ptcp.PtcpTuning;
import java.util.List;

/**
 * The keys of how a node sends over its sessions, which every node has.
 *
 * <p>Thread: any.
 */
public final class TuningKeys {
    public static final ConfigKey<ByteRate> RATE = new ConfigKey<>(
            "rate",
            "RATE",
            null,
            "",
            "the most that this node sends in each of its sessions, over all streams, such as 10mbit or 5MB/s; no limit if"
                    + " not given",
            ByteRate::parse);
    public static final ConfigKey<Boolean> COURTESY = ConfigKey.toggle(
            "courtesy",
            "give way in each session when a longer round trip or loss shows that others on the link suffer");
    public static final ConfigKey<String> CONGESTION = new ConfigKey<>(
            "congestion",
            "NAME",
            PtcpTuning.BEST,
            "",
            "the congestion control of what this node sends: a name that the kernel knows (bbr, cubic), 'kernel' for its own"
                    + " choice, or 'auto' for the best that it has and allows",
            TuningKeys::congestion);

    private TuningKeys() {}

    public static List<ConfigKey<?>> all() {
        return List.of(RATE, COURTESY, CONGESTION);
    }

    /** How this node sends. */
    public static PtcpTuning tuning(Config config, boolean selfTuning) {
        long rate = config.find(RATE).map(ByteRate::bytesPerSecond).orElse(0L);
        return new PtcpTuning(selfTuning, rate, config.get(COURTESY), config.get(CONGESTION));
    }

    private static String congestion(String text) {
        String name = new PtcpTuning(false, 0, false, text).congestion(); // throws with a sentence
        CongestionControls.check(name);
        return name;
    }
}
