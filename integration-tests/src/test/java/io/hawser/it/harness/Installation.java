package io.hawser.it.harness;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The launcher and its jars in a directory, as they are installed. */
public final class Installation {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private Installation() {}

    /** Makes one in {@code home}, which is made. Skips the test where nothing has been packaged. */
    public static Path in(Path home) throws IOException {
        Path built = ROOT.resolve("release/target");
        assumeThat(built.resolve("lib")).as("packaged jars").isDirectory();
        Files.createDirectories(home);
        Files.copy(ROOT.resolve("hawser"), home.resolve("hawser"));
        Path lib = Files.createDirectory(home.resolve("lib"));
        linkJars(built.resolve("lib"), lib);
        linkJars(built, lib);
        return home;
    }

    private static void linkJars(Path from, Path to) throws IOException {
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(from, "*.jar")) {
            for (Path jar : jars) {
                link(to.resolve(jar.getFileName().toString()), jar);
            }
        }
    }

    private static void link(Path name, Path jar) throws IOException {
        try {
            Files.createLink(name, jar);
        } catch (FileSystemException | UnsupportedOperationException e) {
            Files.createSymbolicLink(name, jar); // they are on different file systems
        }
    }
}
