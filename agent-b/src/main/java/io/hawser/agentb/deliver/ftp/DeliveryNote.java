package io.hawser.agentb.deliver.ftp;

import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * What has to be remembered of one delivery over a crash: a small file beside the landing file, which goes with it. One line:
 * {@code renaming}, or {@code ranges} and what the far server holds of the temporary file, such as {@code ranges 0-1048576,2097152-3145728}
 * (first byte, byte after the last). Before it, or alone, {@code early}: the temporary file is where {@link EarlyDelivery} puts it; and
 * {@code asked}: a rename was asked for, and was not made.
 * Anything else counts as no note.
 *
 * <p>Thread: one at a time.
 */
final class DeliveryNote {
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

    private DeliveryNote(Storage storage, Path path, String line) {
        this.storage = storage;
        this.path = path;
        this.early = (line + ' ').startsWith(EARLY);
        String rest = early ? line.substring(EARLY.length() - 1).strip() : line;
        this.asked = (rest + ' ').startsWith(ASKED);
        this.text = asked ? rest.substring(ASKED.length() - 1).strip() : rest;
    }

    /** Reads the note; a missing one is empty. */
    static DeliveryNote read(Storage storage, Path path) throws StorageException {
        var facts = storage.facts(path);
        boolean readable = facts != null && facts.sizeBytes() <= MAX_BYTES;
        return new DeliveryNote(
                storage, path, readable ? new String(storage.readAll(path), StandardCharsets.US_ASCII).strip() : "");
    }

    /** Whether the temporary file was whole and its rename was about to be asked for. */
    boolean isRenaming() {
        return text.equals(RENAMING);
    }

    /** Durable on return: the next step is the rename. */
    void renaming() throws StorageException {
        asked = false; // it says so itself
        write(RENAMING);
    }

    /**
     * The temporary file is still there, so the rename was not made. Durable on return: from here on the temporary file may go, and its
     * absence says nothing.
     */
    void notRenamed() throws StorageException {
        asked = true;
        write("");
    }

    /** Whether a rename may have begun, now or in an earlier attempt: what it was to replace may be gone. */
    boolean wasAsked() {
        return asked || isRenaming();
    }

    /** The ranges that were written down last, or an empty string. */
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

    /** Durable on return: there may be a temporary file where {@link EarlyDelivery} puts it. */
    void early() throws StorageException {
        write(true, text);
    }

    /** The temporary file is beside the final name, or nowhere. */
    void beside() throws StorageException {
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
