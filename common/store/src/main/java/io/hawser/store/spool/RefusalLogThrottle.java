package io.hawser.store.spool;

import io.hawser.core.collection.EvictingMap;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.model.TransferKey;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Decides which refusals "for now" are worth a line in the log: the next hop is asked again every few seconds and says the same
 * again. The first is, one with another code, and one after {@value #REMINDER_MINUTES} minutes; the end of it, if its beginning was.
 * Bounded: of too many transfers the latest are known.
 *
 * <p>Thread: the spool's loop.
 */
final class RefusalLogThrottle {
    private static final int MAX_TRANSFERS = 4096;
    private static final int REMINDER_MINUTES = 10;
    private static final long REMINDER_NANOS = TimeUnit.MINUTES.toNanos(REMINDER_MINUTES);

    private record Said(ErrorCode code, long atNanos, boolean isOver) {}

    private final Map<TransferKey, Said> byKey = new EvictingMap<>(MAX_TRANSFERS);

    /** It was refused for now; whether to say so. */
    boolean isNews(TransferKey key, ErrorCode code, long nowNanos) {
        Said before = byKey.get(key);
        if (before != null && before.code == code && nowNanos - before.atNanos < REMINDER_NANOS) {
            return false;
        }
        byKey.put(key, new Said(code, nowNanos, false));
        return true;
    }

    /** The next hop has taken something of it; whether to say so. A refusal that soon follows is not news again. */
    boolean goesOn(TransferKey key) {
        Said before = byKey.get(key);
        if (before == null || before.isOver) {
            return false;
        }
        byKey.put(key, new Said(before.code, before.atNanos, true));
        return true;
    }

    /** The transfer is the next hop's now. */
    void forget(TransferKey key) {
        byKey.remove(key);
    }
}
