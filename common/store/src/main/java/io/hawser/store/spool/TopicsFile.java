package io.hawser.store.spool;

import io.hawser.core.integrity.Crc32c;
import io.hawser.core.model.Topic;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The topics that agent-a's clients have used, in the file {@code topics} of its spool's directory: each line is a topic, a space and the
 * CRC32C of the topic's bytes, eight hex digits. The file is replaced as a whole, so nothing excuses a line that is not of this form. Lines
 * do not depend on each other: an operator may delete some.
 *
 * <p>Thread: one.
 */
public final class TopicsFile {
    private static final String FILE = "topics";

    private final Storage storage;
    private final Path path;

    /** The file of a spool's directory; it is made by the first {@link #write}. */
    public TopicsFile(Storage storage, Path directory) {
        this.storage = storage;
        this.path = directory.resolve(FILE);
    }

    public Path path() {
        return path;
    }

    /**
     * The topics in the order of the file; none if there is no file.
     *
     * @throws CorruptRecordException if it has a line that is damaged
     */
    public Set<Topic> read() throws StorageException {
        Set<Topic> topics = new LinkedHashSet<>();
        if (storage.facts(path) == null) {
            return topics;
        }
        String text = new String(storage.readAll(path), StandardCharsets.ISO_8859_1);
        if (!text.endsWith("\n")) {
            throw new CorruptRecordException(path
                    + " is damaged: it ends before the end of a line. Restore it from a backup, or delete the last line, or the file if"
                    + " that is all of it");
        }
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            topics.add(topic(line, number));
        }
        return topics;
    }

    private Topic topic(String line, int number) throws CorruptRecordException {
        String name = line.substring(0, Math.max(0, line.indexOf(' ')));
        if (!Topic.isValid(name) || !line.equals(line(new Topic(name)))) {
            throw new CorruptRecordException(path + " is damaged: line " + number
                    + " is not a topic and its checksum. Restore the file from a backup, or delete that line: FTP clients then do not"
                    + " see its topic in the root directory until one uses it again");
        }
        return new Topic(name);
    }

    /** Replaces the file; durable when this returns. */
    public void write(Collection<Topic> topics) throws StorageException {
        StringBuilder text = new StringBuilder();
        topics.forEach(topic -> text.append(line(topic)).append('\n'));
        storage.replaceAll(path, text.toString().getBytes(StandardCharsets.US_ASCII));
    }

    private static String line(Topic topic) {
        byte[] name = topic.name().getBytes(StandardCharsets.US_ASCII);
        return String.format("%s %08x", topic.name(), Crc32c.of(ByteBuffer.wrap(name)));
    }
}
