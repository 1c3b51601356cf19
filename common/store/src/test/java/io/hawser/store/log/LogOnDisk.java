package io.hawser.store.log;

import io.hawser.core.model.TransferKey;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import io.hawser.store.testkit.FaultyStorage;
import io.hawser.store.testkit.TestRuntime;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A log on a disk in memory, and what can happen to its files. */
final class LogOnDisk {
    static final Path DIRECTORY = Path.of("/data/log");
    static final int SEGMENT_BYTES = 64 << 10;

    final FaultyStorage storage = new FaultyStorage();

    /** Opens it with small segments and no spares. */
    SegmentLog open(long epoch) throws StorageException {
        return open(storage, epoch, 0);
    }

    static SegmentLog open(Storage storage, long epoch, int spares) throws StorageException {
        LogConfig config =
                LogConfig.of(DIRECTORY, epoch, "writer", TestRuntime.threads()).withSegments(SEGMENT_BYTES, spares);
        return SegmentLog.open(storage, config, LogObserver.NONE, cause -> {});
    }

    static LogPosition append(SegmentLog log, String body) throws Exception {
        return append(log, null, body);
    }

    static LogPosition append(SegmentLog log, @Nullable TransferKey key, String body) throws Exception {
        CompletableFuture<LogPosition> done = new CompletableFuture<>();
        log.append(1, key, 7, body.getBytes(StandardCharsets.UTF_8), completing(done));
        return done.get(TestTimes.SECONDS, TimeUnit.SECONDS);
    }

    /** Bytes that are the same for the same length. */
    static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    static AppendCallback completing(CompletableFuture<LogPosition> future) {
        return new AppendCallback() {
            @Override
            public void durable(long sequence, LogPosition position) {
                future.complete(position);
            }

            @Override
            public void failed(StorageException cause) {
                future.completeExceptionally(cause);
            }
        };
    }

    static List<String> bodies(SegmentLog log) throws StorageException {
        return bodies(log, LogPosition.START);
    }

    static List<String> bodies(SegmentLog log, LogPosition from) throws StorageException {
        List<String> bodies = new ArrayList<>();
        log.replay(from, record -> bodies.add(text(record)));
        return bodies;
    }

    static String text(LogRecord record) {
        return new String(record.body(), StandardCharsets.UTF_8);
    }

    static Path segment(long number) {
        return DIRECTORY.resolve(String.format("%020d.log", number));
    }

    /** Replaces bytes of a file, durably. */
    void overwrite(Path path, long position, byte... bytes) throws StorageException {
        try (StorageFile file = storage.open(path, OpenMode.CREATE, FileIoMode.PAGE_CACHE)) {
            file.write(ByteBuffer.wrap(bytes), position);
            file.force(true);
        }
    }

    void cut(Path path, long sizeBytes) throws StorageException {
        try (StorageFile file = storage.open(path, OpenMode.UPDATE, FileIoMode.PAGE_CACHE)) {
            file.truncate(sizeBytes);
            file.force(true);
        }
    }

    void putHeader(SegmentHeader header) throws StorageException {
        overwrite(segment(header.number()), 0, bytes(header.toBlock()));
    }

    SegmentHeader header(long number) throws StorageException {
        return new SegmentFiles(storage, DIRECTORY).readHeader(segment(number));
    }

    /** All bytes up to the limit. */
    static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.limit()];
        buffer.duplicate().rewind().get(bytes);
        return bytes;
    }
}
