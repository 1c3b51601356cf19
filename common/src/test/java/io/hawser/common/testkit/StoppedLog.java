package io.hawser.common.testkit;

import io.hawser.common.log.AppendCallback;
import io.hawser.common.log.LogConfig;
import io.hawser.common.log.LogObserver;
import io.hawser.common.log.LogPosition;
import io.hawser.common.log.LogRecord;
import io.hawser.common.log.SegmentLog;
import io.hawser.common.model.TransferKey;
import io.hawser.common.storage.Storage;
import io.hawser.common.storage.StorageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The log of a store that does not run, as another version or another program leaves it.
 *
 * @param segmentBytes as the store has them
 */
public record StoppedLog(Storage storage, Path directory, long segmentBytes) {
    private static final long LATER_EPOCH = 1000;

    private SegmentLog open(long epoch) throws StorageException {
        LogConfig config = LogConfig.of(directory, epoch, "stopped-log").withSegments(segmentBytes, 0);
        return SegmentLog.open(storage, config, LogObserver.NONE, cause -> {});
    }

    /** Appends a record in a life with that epoch, and waits until it is durable. */
    public void append(long epoch, int kind, @Nullable TransferKey key, byte[] body) throws Exception {
        CompletableFuture<LogPosition> done = new CompletableFuture<>();
        try (SegmentLog log = open(epoch)) {
            log.append(kind, key, 0, body, new AppendCallback() {
                @Override
                public void durable(long sequence, LogPosition position) {
                    done.complete(position);
                }

                @Override
                public void failed(StorageException cause) {
                    done.completeExceptionally(cause);
                }
            });
            done.get(20, TimeUnit.SECONDS);
        }
    }

    /** How many records it has. */
    public int count() throws StorageException {
        List<LogRecord> found = new ArrayList<>();
        try (SegmentLog log = open(LATER_EPOCH)) {
            log.replay(LogPosition.START, found::add);
        }
        return found.size();
    }
}
