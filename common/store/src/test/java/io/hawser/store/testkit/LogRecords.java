package io.hawser.store.testkit;

import io.hawser.core.model.TransferKey;
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.LogRecord;
import org.jspecify.annotations.Nullable;

/** Makes records of a log for tests. */
public final class LogRecords {
    private LogRecords() {}

    /** A record whose payload lies within it. */
    public static LogRecord of(
            int kind,
            long sequence,
            long epoch,
            LogPosition position,
            long lengthBytes,
            @Nullable TransferKey key,
            long index,
            byte[] leaf,
            byte[] body,
            int payloadLength,
            int payloadCrc32c) {
        return new LogRecord(
                kind,
                sequence,
                epoch,
                position,
                lengthBytes,
                key,
                index,
                leaf,
                body,
                payloadLength,
                payloadCrc32c,
                position,
                lengthBytes);
    }
}
