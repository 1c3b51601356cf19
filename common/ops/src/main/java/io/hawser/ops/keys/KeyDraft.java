package io.hawser.ops.keys;

import io.hawser.core.config.ConfigException;
import io.hawser.core.tls.KeyDirectory;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.Storage;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * New files of a key directory, which come to stand there all or not at all, whenever the process is killed:
 *
 * <pre>
 *   begin ──► .making, a directory beside the files' places ──► .made, when it has all of them, forced ──► each in its place
 *             cut off: nothing was made; the next one             cut off: {@link #finish} moves
 *             begins anew                                         what is not in its place yet
 * </pre>
 *
 * {@code ca.crt} is moved last, so that where it is there is all the rest. What stands in a place already is never written over.
 *
 * <p>Thread: one.
 */
final class KeyDraft implements AutoCloseable {
    private static final String MAKING = ".making";
    private static final String MADE = ".made";
    private static final Storage DISK = new DiskStorage();

    private final KeyDirectory target;
    private final Path making;

    private KeyDraft(KeyDirectory target, Path making) {
        this.target = target;
        this.making = making;
    }

    /**
     * Begins, in a directory which is made with access for its owner only if it is not there.
     *
     * @throws ConfigException if it has keys already
     */
    static KeyDraft begin(KeyDirectory target) throws IOException {
        KeyMaker.refuseToOverwrite(target);
        KeyMaker.makePrivate(target.path());
        Path making = target.path().resolve(MAKING);
        remove(making);
        KeyMaker.makePrivate(making);
        return new KeyDraft(target, making);
    }

    /** Puts the files in their places that one before had made when it was cut off. Returns whether there were some. */
    static boolean finish(KeyDirectory target) throws IOException {
        Path made = target.path().resolve(MADE);
        if (!Files.isDirectory(made)) {
            return false;
        }
        Path last = target.caCertificate().getFileName();
        for (Path file : files(made, Comparator.comparing(name -> name.equals(last)))) {
            Path place = target.path().resolve(file.getFileName());
            try {
                Files.move(file, place);
            } catch (FileAlreadyExistsException e) {
                throw new ConfigException(
                        place + " exists, and " + file + " belongs there: keys are never written over; move one away");
            }
        }
        Files.delete(made);
        DISK.forceDirectory(target.path());
        return true;
    }

    /** Writes what is to stand at {@code place}, for its owner only. */
    void addPrivate(Path place, String text) throws IOException {
        KeyMaker.writePrivate(here(place), text);
    }

    /** Writes what is to stand at {@code place}, for everybody to read. */
    void addPublic(Path place, String text) throws IOException {
        KeyMaker.writePublic(here(place), text);
    }

    /** What was to stand at {@code place} is to stand at {@code other}. */
    void rename(Path place, Path other) throws IOException {
        Files.move(here(place), here(other), StandardCopyOption.ATOMIC_MOVE);
    }

    /** All is made: it comes to its places. */
    void publish() throws IOException {
        DISK.forceDirectory(making);
        Files.move(making, target.path().resolve(MADE), StandardCopyOption.ATOMIC_MOVE);
        DISK.forceDirectory(target.path());
        finish(target);
    }

    /** What was not published is gone. */
    @Override
    public void close() throws IOException {
        remove(making);
    }

    private Path here(Path place) {
        return making.resolve(place.getFileName());
    }

    private static void remove(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            for (Path file : files(directory, Comparator.naturalOrder())) {
                Files.delete(file);
            }
            Files.delete(directory);
        }
    }

    private static List<Path> files(Path directory, Comparator<Path> byName) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
            all.forEach(files::add);
        }
        files.sort(Comparator.comparing(Path::getFileName, byName));
        return files;
    }
}
