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
 * Writes new files of a key directory, all or none, whenever the process is killed:
 *
 * <pre>
 *   begin ──► .making, a directory in the key directory ──► .made, when it has all files, forced ──► each moved to its place
 *             cut off: nothing was made; the next run        cut off: {@link #finish} moves the rest
 *             begins anew
 * </pre>
 *
 * {@code ca.crt} is moved last, so its presence means that all the others are there. No existing file is overwritten.
 *
 * <p>Thread: one.
 */
record KeyDirectoryWriter(KeyDirectory target, Path making) implements AutoCloseable {
    private static final String MAKING = ".making";
    private static final String MADE = ".made";
    private static final Storage DISK = new DiskStorage();

    /**
     * Begins; creates a missing directory with access for its owner only.
     *
     * @throws ConfigException if it has keys already
     */
    static KeyDirectoryWriter begin(KeyDirectory target) throws IOException {
        KeyMaker.refuseToOverwrite(target);
        KeyMaker.makePrivate(target.path());
        Path making = target.path().resolve(MAKING);
        remove(making);
        KeyMaker.makePrivate(making);
        return new KeyDirectoryWriter(target, making);
    }

    /** Moves the files of an earlier run that was cut off; whether there were some. */
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
                        place + " exists, and " + file + " belongs there: keys are never overwritten; move one away");
            }
        }
        Files.delete(made);
        DISK.forceDirectory(target.path());
        return true;
    }

    /** Writes the file for {@code place}, for its owner only. */
    void addPrivate(Path place, String text) throws IOException {
        KeyMaker.writePrivate(here(place), text);
    }

    /** Writes the file for {@code place}, readable by all. */
    void addPublic(Path place, String text) throws IOException {
        KeyMaker.writePublic(here(place), text);
    }

    void rename(Path place, Path other) throws IOException {
        Files.move(here(place), here(other), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Moves all files to their places. */
    void publish() throws IOException {
        DISK.forceDirectory(making);
        Files.move(making, target.path().resolve(MADE), StandardCopyOption.ATOMIC_MOVE);
        DISK.forceDirectory(target.path());
        finish(target);
    }

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
