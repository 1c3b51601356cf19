package io.hawser.it.reference;

import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** Flips a bit in a segment of a log that no process has open. It keeps nothing: any thread may call it. */
final class SegmentDamage {
    private static final int HEADER_BYTES = 4096;

    private SegmentDamage() {}

    /** Flips one in any segment but the last, whose records were durable: a start would refuse a log without them. */
    static void flip(Storage storage, Path log, Random random) throws StorageException {
        List<String> segments = storage.list(log).stream()
                .filter(name -> name.matches("[0-9]{20}\\.log"))
                .toList();
        if (segments.size() < 2) {
            return;
        }
        Path path = log.resolve(segments.get(random.nextInt(segments.size() - 1)));
        byte[] bytes = storage.readAll(path);
        int at = HEADER_BYTES + random.nextInt(bytes.length - HEADER_BYTES);
        try (StorageFile file = storage.open(path, OpenMode.UPDATE, FileIoMode.PAGE_CACHE)) {
            file.write(ByteBuffer.wrap(new byte[] {(byte) (bytes[at] ^ 1)}), at);
            file.force(false);
        }
    }
}
