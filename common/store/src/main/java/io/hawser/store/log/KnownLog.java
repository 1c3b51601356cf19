package io.hawser.store.log;

import io.hawser.store.check.Findings;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.DirectoryGoneException;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The file {@code known-log} in a node's directory: the id of the node's log. It tells a log that is gone from one that is new: the
 * start of an empty log deletes, or makes anew, all that the lost one spoke of.
 *
 * <p>Thread: any; calls block.
 *
 * @param node the node's directory
 * @param name of the log's directory in it
 * @param content name of the directory in it with what the log speaks of: that is there only after the log
 */
public record KnownLog(Storage storage, Path node, String name, String content) {
    private static final String FILE = "known-log";
    private static final Pattern CONTENT = Pattern.compile("[0-9a-f]{32}.*|index\\.mv\\.db");

    public Path directory() {
        return node.resolve(name);
    }

    public boolean isKnown() throws StorageException {
        return storage.facts(path()) != null;
    }

    private Path path() {
        return node.resolve(FILE);
    }

    /**
     * The log is there and the one that is known, or no log was ever there. Changes nothing.
     *
     * @throws DirectoryGoneException if it is gone
     * @throws CorruptRecordException if it is another one
     */
    public void check() throws StorageException {
        if (isGone()) {
            if (isKnown() || storage.list(node.resolve(content)).stream().anyMatch(CONTENT.asMatchPredicate())) {
                throw new DirectoryGoneException(
                        directory() + " has no log any more, although this node had one. Put it"
                                + " back from where it went (is its file system mounted?), or restore all of " + node
                                + " from one backup. To start anew, and lose what is still there, move all of " + node
                                + " away. Nothing was changed.");
            }
            return;
        }
        Path idFile = directory().resolve(SegmentFiles.ID_FILE);
        if (!isKnown() || storage.facts(idFile) == null) {
            return; // the opening of the log tells of an id that is lost
        }
        String id = text(idFile);
        String known = text(path());
        if (!known.equals(id) && !isIdDamaged(id, known)) {
            throw new CorruptRecordException(path() + " should hold the id of the log in " + directory() + ", " + id
                    + ", and holds \"" + known
                    + "\": another log was put there, or the file is damaged. Put the right log"
                    + " back; or, if it is the right one, write " + id + " into " + path() + ".");
        }
    }

    /** Whether all but the log's id show that the log is the known one: its opening tells of that. */
    private boolean isIdDamaged(String id, String known) throws StorageException {
        SegmentFiles files = new SegmentFiles(storage, directory());
        try {
            LogId right = new LogIdEvidence(files, files.list()).against(LogId.parse(id));
            return right != null && right.toString().equals(known);
        } catch (IllegalArgumentException e) {
            return true;
        }
    }

    /** Whether there is no log, be it that there never was one. */
    public boolean isGone() throws StorageException {
        return storage.list(directory()).stream()
                .noneMatch(file -> file.equals(SegmentFiles.ID_FILE)
                        || file.equals(SegmentListFile.FILE)
                        || SegmentFiles.isSegment(file));
    }

    /** Whether it has, or has had, records. */
    public boolean hasSegments() throws StorageException {
        return storage.list(directory()).stream().anyMatch(SegmentFiles::isSegment);
    }

    private String text(Path file) throws StorageException {
        return new String(storage.readAll(file), StandardCharsets.US_ASCII).strip();
    }

    /** The log was opened: from now on it is known, durably. */
    public void learn(String logId) throws StorageException {
        if (!isKnown()) {
            storage.replaceAll(path(), (logId + "\n").getBytes(StandardCharsets.US_ASCII));
        }
    }

    /** Checks the same without starting. Returns whether the log is the right one. */
    boolean check(Findings findings) throws StorageException {
        try {
            check();
            return true;
        } catch (DirectoryGoneException e) {
            findings.damage("log.gone", directory(), 0, Findings.sentence(e), "The node does not start before.");
        } catch (CorruptRecordException e) {
            findings.damage("log.known", path(), 0, Findings.sentence(e), "The node does not start before.");
        }
        return false;
    }
}
