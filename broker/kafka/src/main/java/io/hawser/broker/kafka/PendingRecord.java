package io.hawser.broker.kafka;

import io.hawser.core.hop.Fragment;
import io.hawser.core.model.TransferKey;
import io.hawser.store.log.AppendCallback;
import org.jspecify.annotations.Nullable;

/**
 * A record that is being appended: the journal can name its payload only when that is in place.
 *
 * <p>Thread: guarded by {@link JournalQueue}, but for the fragment, which is the payload-writer's.
 */
final class PendingRecord {
    private static final int OBJECT_BYTES = 160;

    final int kind;
    final @Nullable TransferKey key;
    final long index;
    final byte[] body;
    final AppendCallback done;
    /** What is to be written first; its buffer is retained until that has been handed to Kafka's client. */
    final @Nullable Fragment fragment;

    private KafkaJournalRecord.@Nullable PayloadPlace place;

    PendingRecord(
            int kind,
            @Nullable TransferKey key,
            long index,
            byte[] body,
            @Nullable Fragment fragment,
            KafkaJournalRecord.@Nullable PayloadPlace place,
            AppendCallback done) {
        this.kind = kind;
        this.key = key;
        this.index = index;
        this.body = body;
        this.fragment = fragment;
        this.place = place;
        this.done = done;
    }

    void placed(KafkaJournalRecord.PayloadPlace where) {
        place = where;
    }

    KafkaJournalRecord.@Nullable PayloadPlace place() {
        return place;
    }

    boolean isReady() {
        return fragment == null || place != null;
    }

    long heapBytes() {
        return OBJECT_BYTES + (long) body.length;
    }
}
