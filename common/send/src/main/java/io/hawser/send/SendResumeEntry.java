package io.hawser.send;

import io.hawser.core.model.TransferKey;
import io.hawser.ops.observe.Json;
import io.hawser.store.storage.FormatTooNewException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One line of {@link SendResumeLog}: a file was handed over, or has got somewhere.
 *
 * @param version of the line; a line without one is of version 1, which had none at first
 * @param path where the file is
 * @param name what it is sent under
 * @param fingerprint of the file when it was handed over
 * @param key of its transfer
 * @param reached the highest level that was reached, null at first
 * @param failed whether it was refused, or a far end does not deliver it: the same command sends it anew
 */
record SendResumeEntry(
        int version,
        String path,
        String name,
        String fingerprint,
        String key,
        @Nullable WaitLevel reached,
        boolean failed) {
    static final int VERSION = 1;

    /** One of this version. */
    static SendResumeEntry of(String path, String name, String fingerprint, String key, @Nullable WaitLevel reached) {
        return new SendResumeEntry(VERSION, path, name, fingerprint, key, reached, false);
    }

    /** The same transfer, which has come further. */
    SendResumeEntry at(WaitLevel level) {
        return new SendResumeEntry(VERSION, path, name, fingerprint, key, level, failed);
    }

    /** The same transfer, which has failed. */
    SendResumeEntry asFailed() {
        return new SendResumeEntry(VERSION, path, name, fingerprint, key, reached, true);
    }

    /** The line, without its end. */
    String line() {
        return Json.line(this);
    }

    /**
     * Reads a line. Null if it is none, since it is empty or was cut off by the end of a process or by a full disk: it counts as if it
     * had not been written.
     *
     * @throws FormatTooNewException if a later version has written it
     */
    static @Nullable SendResumeEntry parse(String line) throws FormatTooNewException {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        try {
            long version = Json.tree(bytes).path("version").asLong(VERSION);
            if (version > VERSION) {
                throw new FormatTooNewException(
                        "a line of version " + version + ", where this version of Hawser knows " + VERSION);
            }
            SendResumeEntry event = Json.read(bytes, SendResumeEntry.class);
            return event == null || !event.isWhole()
                    ? null
                    : new SendResumeEntry(
                            VERSION, event.path, event.name, event.fingerprint, event.key, event.reached, event.failed);
        } catch (FormatTooNewException e) {
            throw e;
        } catch (IOException e) {
            return null;
        }
    }

    /** JSON may leave out what a record cannot do without. */
    private boolean isWhole() {
        if (path == null || name == null || fingerprint == null || key == null) {
            return false;
        }
        try {
            boolean isText = StandardCharsets.UTF_8.newEncoder().canEncode(path + name + fingerprint);
            return isText && !TransferKey.parse(key).toString().isEmpty();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
