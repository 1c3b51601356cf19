package io.hawser.watch;

import io.hawser.ops.observe.Json;
import io.hawser.store.storage.FormatTooNewException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One version of a watched file, and what was done with it: a line of {@link WatchJournal}.
 *
 * @param version of the line
 * @param path where it is, below the watched directory; segments joined by {@code /}
 * @param fingerprint its size, time and inode
 * @param step how far it is
 * @param key its transfer; null before there is one
 */
record WatchedFile(
        int version,
        String path,
        String fingerprint,
        Step step,
        @Nullable String key) {
    static final int VERSION = 1;

    /** How far it is. Each step is on the disk before the next one begins. */
    enum Step {
        /** It is handed over next; there may be a transfer of it. */
        BEGUN,
        /** Its transfer is durable in the client's journal. */
        SENT,
        /** The level that was asked for is reached. */
        REACHED,
        /** It was moved or deleted, or stays and is not sent again. */
        DONE,
        /** It was refused, or is not delivered. The next run sends it again. */
        FAILED,
        /** Nothing is known of it any more. */
        FORGOTTEN
    }

    static WatchedFile begun(String path, String fingerprint) {
        return new WatchedFile(VERSION, path, fingerprint, Step.BEGUN, null);
    }

    WatchedFile sentAs(String transferKey) {
        return new WatchedFile(VERSION, path, fingerprint, Step.SENT, transferKey);
    }

    WatchedFile at(Step next) {
        return new WatchedFile(VERSION, path, fingerprint, next, key);
    }

    String line() {
        return Json.line(this);
    }

    /**
     * Reads a line; null if it was cut off by the end of a process or by a full disk, and so was never acted on.
     *
     * @throws FormatTooNewException if a later version has written it
     */
    static @Nullable WatchedFile parse(String line) throws FormatTooNewException {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        try {
            long version = Json.tree(bytes).path("version").asLong();
            if (version > VERSION) {
                throw new FormatTooNewException(
                        "a line of version " + version + ", where this version of Hawser knows " + VERSION);
            }
            WatchedFile file = Json.read(bytes, WatchedFile.class);
            boolean whole = file != null && file.path != null && file.fingerprint != null && file.step != null;
            return whole ? file : null;
        } catch (FormatTooNewException e) {
            throw e;
        } catch (IOException e) {
            return null;
        }
    }
}
