package io.hawser.agentb.deliver.ftp;

import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Remembers the progress of one delivery over a crash, in a small file beside the landing file. It holds one line:
 * {@code renaming}, or {@code ranges} and what the far server holds of the temporary file, such as {@code ranges 0-1048576,2097152-3145728}
 * (first byte, byte after the last). Before that, or alone, may stand {@code early}: the temporary file is where {@link EarlyDelivery} puts it; and
 * {@code asked}: agent-b asked for the rename, and the server did not make it. Anything else counts as no note.
 *
 * <p>Thread: one at a time.
 */
final class DeliveryCheckpoint {
    private static final String RENAMING = "renaming";
    private static final String RANGES = "ranges ";
    private static final String EARLY = "early ";
    private static final String ASKED = "asked ";
    private static final int MAX_BYTES = 1 << 20;

    private final Storage storage;
    private final Path path;
    private boolean early;
    private boolean asked;
    private String text;

    private DeliveryCheckpoint(Storage storage, Path path, String line) {
        this.storage = storage;
        this.path = path;
        this.early = (line + ' ').startsWith(EARLY);
        String rest = early ? line.substring(EARLY.length() - 1).strip() : line;
        this.asked = (rest + ' ').startsWith(ASKED);
        this.text = asked ? rest.substring(ASKED.length() - 1).strip() : rest;
    }

    /** Reads the note; a missing one is empty. */
    static DeliveryCheckpoint read(Storage storage, Path path) throws StorageException {
        var facts = storage.facts(path);
        boolean readable = facts != null && facts.sizeBytes() <= MAX_BYTES;
        return new DeliveryCheckpoint(
                storage, path, readable ? new String(storage.readAll(path), StandardCharsets.US_ASCII).strip() : "");
    }

    /** Whether the temporary file was complete and agent-b was about to ask for its rename. */
    boolean isRenaming() {
        return text.equals(RENAMING);
    }

    /** Notes durably that the next step is the rename. */
    void markRenaming() throws StorageException {
        asked = false; // "renaming" implies it
        write(RENAMING);
    }

    /**
     * Notes durably that the temporary file still exists, so the server did not make the rename. From then on the temporary file may be deleted:
     * its absence proves nothing.
     */
    void clearRenaming() throws StorageException {
        asked = true;
        write("");
    }

    /** Whether agent-b has ever asked for the rename: the file that it replaces may be gone. */
    boolean wasRenameAsked() {
        return asked || isRenaming();
    }

    /** The ranges that were noted last, or an empty string. */
    String ranges() {
        return text.startsWith(RANGES) ? text.substring(RANGES.length()) : "";
    }

    void ranges(String ranges) throws StorageException {
        write(RANGES + ranges);
    }

    /** Whether the temporary file is where {@link EarlyDelivery} puts it. */
    boolean isEarly() {
        return early;
    }

    /** Notes durably that there may be a temporary file where {@link EarlyDelivery} puts it. */
    void markEarly() throws StorageException {
        write(true, text);
    }

    /** Notes that the temporary file is beside the final name, or nowhere. */
    void clearEarly() throws StorageException {
        write(false, text);
    }

    private void write(String line) throws StorageException {
        write(early, line);
    }

    private void write(boolean isEarly, String line) throws StorageException {
        if (!text.equals(line) || early != isEarly) {
            String whole = (isEarly ? EARLY : "") + (asked ? ASKED : "") + line;
            storage.replaceAll(path, (whole.strip() + "\n").getBytes(StandardCharsets.US_ASCII));
            text = line;
            early = isEarly;
        }
    }
}
