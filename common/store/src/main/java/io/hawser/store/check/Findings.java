package io.hawser.store.check;

import io.hawser.store.check.Finding.Severity;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Takes what checks find, hands each finding on at once, and keeps the sums. Memory does not grow with their number.
 *
 * <p>Thread: one at a time.
 */
public final class Findings {

    private final Consumer<Finding> sink;
    private final LongConsumer progress;
    private final Map<String, Long> counts = new LinkedHashMap<>();
    private long damages;
    private long damagedBytes;
    private long notes;
    private long notedBytes;
    private long readBytes;

    /**
     * @param sink is given each finding
     * @param progress receives, now and then, the number of bytes read so far
     */
    public Findings(Consumer<Finding> sink, LongConsumer progress) {
        this.sink = sink;
        this.progress = progress;
    }

    /** Something is damaged or gone. */
    public void damage(String kind, Object place, long bytes, String meaning, String advice) {
        damages++;
        damagedBytes += bytes;
        sink.accept(new Finding(Severity.DAMAGE, kind, place.toString(), bytes, meaning, advice));
    }

    /** Something that is harmless. */
    public void note(String kind, Object place, long bytes, String meaning, String advice) {
        notes++;
        notedBytes += bytes;
        sink.accept(new Finding(Severity.NOTE, kind, place.toString(), bytes, meaning, advice));
    }

    /** A file or directory could not be read: whatever it holds counts as damaged. */
    public void unreadable(Path place, long bytes, Exception cause) {
        damage(
                "io",
                place,
                bytes,
                "It cannot be read: " + sentence(cause),
                "Check the disk and the permissions; then run this again.");
    }

    /** So many more things of a kind (a plural, such as {@code records}) were checked. */
    public void counted(String what, long number) {
        counts.merge(what, number, Long::sum);
    }

    /** So many more bytes were read. */
    public void read(long bytes) {
        readBytes += bytes;
        progress.accept(readBytes);
    }

    /** What an exception says, with the full stop that ends a sentence. */
    public static String sentence(Exception cause) {
        String text = String.valueOf(cause.getMessage()).strip();
        return text.endsWith(".") ? text : text + ".";
    }

    /** What was checked, by kind. */
    public Map<String, Long> counts() {
        return counts;
    }

    public long damages() {
        return damages;
    }

    public long damagedBytes() {
        return damagedBytes;
    }

    public long notes() {
        return notes;
    }

    public long notedBytes() {
        return notedBytes;
    }

    public long readBytes() {
        return readBytes;
    }
}
