package io.hawser.release.process;

import io.hawser.core.config.ByteSize;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.Errors;
import io.hawser.ops.cli.ExitCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * The directory of a demo or a measurement: a new temporary one, or an empty one of the user's choice, with enough room.
 *
 * <p>Thread: any.
 */
public final class WorkDirectory {
    private WorkDirectory() {}

    /**
     * Makes or checks the directory.
     *
     * @throws CommandException if it cannot be, is not empty or has too little room
     */
    public static Path prepare(Optional<Path> wanted, String prefix, long neededBytes) throws IOException {
        Path directory = wanted.isEmpty() ? Files.createTempDirectory(prefix) : made(wanted.get());
        try (Stream<Path> files = Files.list(directory)) {
            if (files.findAny().isPresent()) {
                throw new CommandException(ExitCode.USAGE, "--dir " + directory + " is not empty");
            }
        }
        long usableBytes = Files.getFileStore(directory).getUsableSpace();
        if (usableBytes < neededBytes) {
            throw new CommandException(
                    ExitCode.FAILED,
                    directory + " has room for " + ByteSize.human(usableBytes) + ", and "
                            + ByteSize.human(neededBytes)
                            + " are needed: choose another place with --dir, or a smaller --size");
        }
        return directory;
    }

    private static Path made(Path wanted) {
        try {
            return Files.createDirectories(wanted);
        } catch (IOException e) {
            throw new CommandException(ExitCode.USAGE, "--dir " + wanted + ": " + Errors.sentence(e), e);
        }
    }

    /** Whatever ends this program: runs {@code end}, and then removes the directory if {@code remove} says so. */
    public static void atExit(Runnable end, Path directory, BooleanSupplier remove) {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            end.run();
                            if (remove.getAsBoolean()) {
                                delete(directory);
                            }
                        },
                        "work-directory-end"));
    }

    /** Removes it with all that is in it, and says so if that is not possible. */
    public static void delete(Path directory) {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | UncheckedIOException e) {
            System.err.println("hawser: could not remove " + directory + ": " + e.getMessage());
        }
    }
}
