package io.hawser.gsi.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a whole file, and refuses pipes and devices because they could block or never end. */
final class RegularFileReader {
    private RegularFileReader() {}

    /** @throws IOException if it cannot be read, or is no regular file */
    static byte[] readAllBytes(Path path) throws IOException {
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            throw new IOException(path + " is not a regular file");
        }
        return Files.readAllBytes(path);
    }
}
