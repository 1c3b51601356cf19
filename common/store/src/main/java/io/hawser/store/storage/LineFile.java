package io.hawser.store.storage;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A text file (UTF-8) that lines are added to, each durable when {@link #append} returns. What a crash left of a last line is cut off.
 *
 * <p>Thread: one.
 */
public final class LineFile {
    private static final byte END = '\n';

    private final Storage storage;
    private final Path path;

    /** Names the file; it is made with its first line. */
    public LineFile(Storage storage, Path path) {
        this.storage = storage;
        this.path = path;
    }

    /** All whole lines; none if there is no file. */
    public List<String> read() throws StorageException {
        if (storage.facts(path) == null) {
            return List.of();
        }
        byte[] bytes = storage.readAll(path);
        List<String> lines = new ArrayList<>();
        int whole = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == END) {
                lines.add(new String(bytes, whole, i - whole, StandardCharsets.UTF_8));
                whole = i + 1;
            }
        }
        if (whole < bytes.length) {
            try (StorageFile file = storage.open(path, OpenMode.UPDATE, Caching.PAGE_CACHE)) {
                file.truncate(whole);
                file.force(true);
            }
        }
        return lines;
    }

    /** Adds a line and forces it. */
    public void append(String line) throws StorageException {
        boolean isNew = storage.facts(path) == null;
        try (StorageFile file = storage.open(path, OpenMode.CREATE, Caching.PAGE_CACHE)) {
            file.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)), file.sizeBytes());
            file.force(true);
        }
        Path directory = path.toAbsolutePath().normalize().getParent();
        if (isNew && directory != null) {
            storage.forceDirectory(directory);
        }
    }
}
