package io.hawser.watch;

import io.hawser.core.integrity.Sha256;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.FileFacts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What is done with a file after its delivery: it stays, is moved into a directory, or is deleted. A file that was replaced since it was sent is
 * left alone, because its new version was not sent.
 *
 * @param kind which of these
 * @param directory where files are moved; null for the others
 */
record Aftermath(Kind kind, @Nullable Path directory) {
    private static final String MOVE = "move:";
    /** Of a file that is being deleted. A scan passes over it. */
    private static final String DOOMED = ".hawser-sent-";

    private static final int DIGITS = 16;

    /** What can be done. */
    enum Kind {
        KEEP,
        MOVE,
        DELETE
    }

    /** {@link IllegalArgumentException} with a sentence if it is none. */
    static Aftermath parse(String text) {
        if (text.equals("keep")) {
            return new Aftermath(Kind.KEEP, null);
        } else if (text.equals("delete")) {
            return new Aftermath(Kind.DELETE, null);
        } else if (text.startsWith(MOVE) && text.length() > MOVE.length()) {
            return new Aftermath(Kind.MOVE, Path.of(text.substring(MOVE.length())));
        }
        throw new IllegalArgumentException("'" + text + "' is none of keep, delete and move:DIR");
    }

    /**
     * Does it, if the file is still the version that was sent.
     *
     * @param file where it is
     * @param below the same, below the watched directory
     * @return what was done with it, as words for people
     * @throws IOException if it cannot be moved or deleted; it is still there then
     */
    String apply(Path file, Path below, String fingerprint, DiskStorage storage) throws IOException {
        if (kind == Kind.KEEP) {
            return "";
        }
        Path doomed = doomed(file, fingerprint);
        if (kind == Kind.DELETE && is(doomed, fingerprint, storage)) { // an earlier run came so far
            Files.delete(doomed);
            return "deleted";
        } else if (!is(file, fingerprint, storage)) {
            return "not there any more in the version that was sent";
        }
        Path moved = move(file, kind == Kind.MOVE && directory != null ? directory.resolve(below) : doomed);
        if (!is(moved, fingerprint, storage)) { // it was replaced at the last moment
            putBack(moved, file);
            return "replaced meanwhile, and left alone";
        }
        if (kind == Kind.DELETE) {
            Files.deleteIfExists(moved);
            return "deleted";
        }
        return "moved to " + moved;
    }

    static Path doomed(Path file, String fingerprint) {
        byte[] digest = Sha256.of(fingerprint.getBytes(StandardCharsets.UTF_8));
        return file.resolveSibling(DOOMED + HexFormat.of().formatHex(digest).substring(0, DIGITS));
    }

    static boolean is(Path file, String fingerprint, DiskStorage storage) throws IOException {
        FileFacts facts = storage.facts(file);
        return facts != null && facts.isFile() && facts.fingerprint().equals(fingerprint);
    }

    /** Moves it to a free name, the wanted one or that one with a number. */
    private static Path move(Path file, Path wanted) throws IOException {
        Files.createDirectories(wanted.toAbsolutePath().getParent());
        Path free = wanted;
        for (int number = 2; Files.exists(free, LinkOption.NOFOLLOW_LINKS); number++) {
            free = wanted.resolveSibling(wanted.getFileName() + "." + number);
        }
        return Files.move(file, free);
    }

    private static void putBack(Path moved, Path file) throws IOException {
        try {
            Path unused = Files.move(moved, file);
        } catch (FileAlreadyExistsException e) {
            Path unused = move(moved, file.resolveSibling(file.getFileName() + ".2"));
        } catch (NoSuchFileException e) {
            return; // somebody took it away
        }
    }

    /** Whether a scan passes over it. */
    static boolean isOwn(Path file) {
        return String.valueOf(file.getFileName()).startsWith(DOOMED);
    }
}
