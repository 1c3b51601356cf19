package io.hawser.store.landing;

import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import io.hawser.store.event.Cause;
import io.hawser.store.event.EventType;
import io.hawser.store.event.TransferEvent;
import io.hawser.store.event.TransferEvents;
import io.hawser.store.log.LogPosition;
import io.hawser.store.runtime.StoreRuntime;
import org.jspecify.annotations.Nullable;

/**
 * Tells of the landing area's transfers what their records say: by the same rules when a record becomes durable and when it is read at a
 * start.
 *
 * <p>Thread: the loop (the opening thread before).
 */
final class LandingEvents {
    private final TransferEvents events;
    private final StoreRuntime runtime;
    private final String subscription;

    LandingEvents(StoreRuntime runtime, String subscription) {
        this.events = runtime.events();
        this.runtime = runtime;
        this.subscription = subscription;
    }

    /**
     * {@code record} is durable.
     *
     * @param before the record of the same transfer before it, or null if none is known
     */
    void durable(@Nullable LandingRecord before, LandingRecord record, LogPosition position) {
        if (events == TransferEvents.NONE) {
            return;
        }
        Manifest manifest = manifestOf(before);
        Commit commit = commitOf(before);
        Cause cause = new Cause(position.segment(), position.offset());
        if (record instanceof LandingRecord.Verified verified) {
            boolean isAgain = before instanceof LandingRecord.Verified known && known.order() == verified.order();
            if (!isAgain) { // else it was carried forward
                tell(EventType.LANDED, record.key(), verified.manifest(), verified.commit(), "", false, cause);
            }
        } else if (record instanceof LandingRecord.Parked parked) {
            if (!(before
                    instanceof LandingRecord.Parked)) { // else it was carried forward, or a later transfer overtook it
                String reason = parked.letter().reason();
                tell(EventType.DEAD_LETTERED, record.key(), parked.manifest(), parked.commit(), reason, true, cause);
            }
        } else if (record instanceof LandingRecord.Ended ended) {
            if (!(before instanceof LandingRecord.Ended)) {
                events.happened(TransferEvent.of(
                        ended.receipt(), manifest, commit, ended.receipt().epochMillis(), true, cause));
            }
        } else if (record instanceof LandingRecord.Cancelled && manifest != null) {
            tell(EventType.CANCELLED, record.key(), manifest, commit, "its publisher cancelled it", true, cause);
        }
    }

    private void tell(
            EventType type,
            TransferKey key,
            Manifest manifest,
            @Nullable Commit commit,
            String reason,
            boolean ends,
            Cause cause) {
        events.happened(
                new TransferEvent(type, key, manifest, commit, subscription, reason, runtime.nowMillis(), ends, cause));
    }

    private static @Nullable Manifest manifestOf(@Nullable LandingRecord record) {
        if (record instanceof LandingRecord.Opened opened) {
            return opened.manifest();
        } else if (record instanceof LandingRecord.Verified verified) {
            return verified.manifest();
        }
        return record instanceof LandingRecord.Parked parked ? parked.manifest() : null;
    }

    private static @Nullable Commit commitOf(@Nullable LandingRecord record) {
        if (record instanceof LandingRecord.Verified verified) {
            return verified.commit();
        }
        return record instanceof LandingRecord.Parked parked ? parked.commit() : null;
    }
}
