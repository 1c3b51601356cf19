package io.hawser.store.log;

import io.hawser.store.check.Findings;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Describes an unreadable place in a log: which records were probably there, judging by the bytes that remain.
 *
 * <p>Thread: its creator.
 */
final class DamageDescriber {
    private static final int WINDOW_BYTES = 64 << 10;
    private static final String ADVICE =
            "Check the disk (dmesg, smartctl). If the publisher still has it, the node asks for it again; otherwise restore"
                    + " this directory from a backup or send the object again.";

    private final StorageFile file;
    private final Path path;
    private final LogId id;
    private final Findings findings;
    private int told;

    DamageDescriber(StorageFile file, Path path, LogId id, Findings findings) {
        this.file = file;
        this.path = path;
        this.id = id;
        this.findings = findings;
    }

    void tell(LogDamage damage) {
        told++;
        String place = path + " at " + damage.position().offset();
        try {
            RecordHeader header = header(damage.position());
            if (header != null && damage.position().offset() + header.lengthBytes() <= file.sizeBytes()) {
                boolean body = bodyIsWhole(header);
                findings.damage(
                        body ? "log.payload" : "log.body",
                        place,
                        damage.lengthBytes(),
                        (body ? "The payload of " : "The body of ") + text(header)
                                + " is not as it was written; it is never delivered.",
                        ADVICE);
            } else if (damage.position().offset() + damage.lengthBytes() >= file.sizeBytes()) {
                findings.damage(
                        "log.truncated",
                        place,
                        damage.lengthBytes(),
                        "The segment ends here without its seal, after record " + (damage.firstSequence() - 1)
                                + ": what followed in it is gone.",
                        ADVICE);
            } else {
                findings.damage(
                        "log.record",
                        place,
                        damage.lengthBytes(),
                        "No record can be read here; " + missing(damage) + ".",
                        ADVICE);
            }
        } catch (StorageException e) {
            findings.unreadable(path, damage.lengthBytes(), e);
        }
    }

    private static String missing(LogDamage damage) {
        return damage.firstSequence() == damage.lastSequence()
                ? "record " + damage.firstSequence() + " is missing"
                : "records " + damage.firstSequence() + " to " + damage.lastSequence() + " are missing";
    }

    private static String text(RecordHeader header) {
        String of = header.key() == null ? "" : " of transfer " + header.key() + " (index " + header.index() + ")";
        return "record " + header.sequence() + of;
    }

    private @Nullable RecordHeader header(LogPosition position) throws StorageException {
        SegmentWindow window = new SegmentWindow(file, WINDOW_BYTES);
        int at = window.locate(position.offset(), LogFormat.RECORD_HEADER_BYTES);
        return at < 0 ? null : RecordHeader.tryRead(window.bytes(), at, id, position);
    }

    private boolean bodyIsWhole(RecordHeader header) throws StorageException {
        SegmentWindow window = new SegmentWindow(file, WINDOW_BYTES);
        long crc = window.crc32c(header.position().offset() + LogFormat.RECORD_HEADER_BYTES, header.bodyLength());
        return crc >= 0 && (int) crc == header.bodyCrc32c();
    }

    int told() {
        return told;
    }
}
