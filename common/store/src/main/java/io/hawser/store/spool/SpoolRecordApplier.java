package io.hawser.store.spool;

import io.hawser.core.model.Manifest;
import io.hawser.store.log.LogPosition;
import io.hawser.store.spool.SpoolRecord.Ended;
import io.hawser.store.spool.SpoolRecord.HighWater;
import io.hawser.store.spool.SpoolRecord.Opened;
import io.hawser.store.spool.SpoolRecord.Settled;
import io.hawser.store.spool.SpoolRecord.Small;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Applies journal records in order, to rebuild the spool's transfers when it is opened.
 *
 * <p>Thread: the opening thread.
 */
final class SpoolRecordApplier {
    private final TransferRegister register;
    private final @Nullable SpoolEvents events;
    private long lastNumber;

    /** @param events takes what the records tell of; null if nothing does */
    SpoolRecordApplier(TransferRegister register, @Nullable SpoolEvents events) {
        this.register = register;
        this.events = events;
    }

    /** The highest number that was ever given. */
    long lastNumber() {
        return lastNumber;
    }

    void apply(SpoolRecord record, LogPosition position, long lengthBytes) {
        if (record instanceof HighWater highWater) {
            lastNumber = Math.max(lastNumber, highWater.number());
            return;
        }
        SpoolTransfer transfer = transferOf(record);
        if (transfer == null) {
            return; // its first record went with a segment, since it had ended
        }
        SpoolEvents.Before before = SpoolEvents.Before.of(transfer, record);
        boolean isOver = record instanceof Ended || record instanceof Settled;
        if (!isOver) {
            transfer.apply(record, position, lengthBytes);
        }
        if (events != null) {
            events.applied(transfer, record, before, position);
        }
        if (isOver) {
            register.forget(transfer);
        }
    }

    private @Nullable SpoolTransfer transferOf(SpoolRecord record) {
        if (record instanceof Opened opened) {
            return knownOrNew(opened.manifest(), opened.source());
        } else if (record instanceof Small small) {
            return knownOrNew(small.manifest(), null);
        }
        return register.get(Objects.requireNonNull(record.key()));
    }

    private SpoolTransfer knownOrNew(Manifest manifest, @Nullable SourceFingerprint source) {
        lastNumber = Math.max(lastNumber, manifest.number());
        SpoolTransfer known = register.get(manifest.key());
        if (known != null) {
            return known; // it was carried forward
        }
        SpoolTransfer transfer = new SpoolTransfer(manifest, source, register.steadyNanos());
        register.add(transfer);
        return transfer;
    }
}
