package io.hawser.store.testkit;

import io.hawser.core.model.TransferKey;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.store.log.AppendCallback;
import io.hawser.store.log.LogConfig;
import io.hawser.store.log.LogObserver;
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.LogRecord;
import io.hawser.store.log.SegmentLog;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
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
        LogConfig config = LogConfig.of(directory, epoch, "stopped-log", TestRuntime.threads())
                .withSegments(segmentBytes, 0);
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
            done.get(TestTimes.SECONDS, TimeUnit.SECONDS);
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
