package io.hawser.it.example;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A Maven repository of its own with the artifacts that this build packaged, as {@code mvn install} would put them there. Artifacts of
 * others are symbolic links to the repository that the build uses.
 */
final class ArtifactRepository {
    private static final Path ROOT = Path.of("..");
    private static final String VERSION = System.getProperty("hawser.version", "0.1.0-SNAPSHOT");
    /** By artifact; what {@code hawser-client} needs and nothing else. */
    private static final Map<String, String> MODULES = Map.of(
            "hawser-ptcp", "ptcp",
            "hawser-core", "common/core",
            "hawser-store", "common/store",
            "hawser-client", "common/client");

    private final Path directory;

    private ArtifactRepository(Path directory) {
        this.directory = directory;
    }

    static ArtifactRepository create(Path directory) throws IOException {
        Path used = Path.of(System.getProperty(
                "localRepository", System.getProperty("user.home") + "/.m2/repository")); // set by Failsafe
        linkAllBut("io", used, directory);
        linkAllBut("hawser", used.resolve("io"), directory.resolve("io"));
        ArtifactRepository repository = new ArtifactRepository(directory);
        repository.install("hawser-parent", "pom", ROOT.resolve("pom.xml"));
        for (Map.Entry<String, String> module : MODULES.entrySet()) {
            Path base = ROOT.resolve(module.getValue());
            repository.install(module.getKey(), "pom", base.resolve("pom.xml"));
            repository.install(
                    module.getKey(), "jar", base.resolve("target/" + module.getKey() + "-" + VERSION + ".jar"));
        }
        return repository;
    }

    Path directory() {
        return directory;
    }

    private static void linkAllBut(String own, Path from, Path into) throws IOException {
        Files.createDirectories(into);
        try (Stream<Path> entries = Files.list(from)) {
            for (Path entry : entries.toList()) {
                if (!entry.getFileName().toString().equals(own)) {
                    Files.createSymbolicLink(into.resolve(entry.getFileName()), entry);
                }
            }
        }
    }

    private void install(String artifact, String type, Path file) throws IOException {
        Path target = directory.resolve("io/hawser/" + artifact + "/" + VERSION);
        Files.createDirectories(target);
        Files.copy(file, target.resolve(artifact + "-" + VERSION + "." + type), StandardCopyOption.REPLACE_EXISTING);
    }
}
