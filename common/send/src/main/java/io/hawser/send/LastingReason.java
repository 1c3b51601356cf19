package io.hawser.send;

import java.util.concurrent.TimeUnit;

/**
 * A reason is worth a word when it has lasted: a session that is being made, or a receipt on its way, is no news.
 *
 * <p>Thread: main only.
 */
final class LastingReason {
    static final long LASTING_NANOS = TimeUnit.SECONDS.toNanos(2);

    private String latest = "";
    private long sinceNanos;

    /** The reason if it has been the same for a while, else empty. */
    String of(String reason, long nowNanos) {
        if (!reason.equals(latest)) {
            latest = reason;
            sinceNanos = nowNanos;
        }
        return nowNanos - sinceNanos >= LASTING_NANOS ? reason : "";
    }
}
