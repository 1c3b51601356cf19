package io.hawser.send;

import java.util.concurrent.TimeUnit;

/**
 * Suppresses a reason for waiting until it has stayed the same for two seconds.
 *
 * <p>Thread: main only.
 */
public final class ReasonDebouncer {
    static final long LASTING_NANOS = TimeUnit.SECONDS.toNanos(2);

    private String latest = "";
    private long sinceNanos;

    /** The reason if it has been the same for a while, else empty. */
    public String of(String reason, long nowNanos) {
        if (!reason.equals(latest)) {
            latest = reason;
            sinceNanos = nowNanos;
        }
        return nowNanos - sinceNanos >= LASTING_NANOS ? reason : "";
    }
}
