package io.hawser.release.drill;

import io.hawser.ops.cli.Errors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Takes canaries out of the directory that agent-b delivers into, as its consumer would. Thread: any. */
final class DirectoryCanaryRemover implements CanaryRemover {
    private final Path directory;
    private final List<String> failures = new CopyOnWriteArrayList<>();

    DirectoryCanaryRemover(Path directory) {
        this.directory = directory;
    }

    @Override
    public void remove(String name) {
        try {
            Files.deleteIfExists(directory.resolve(name));
        } catch (IOException e) {
            failures.add(name + " could not be removed: " + Errors.sentence(e));
        }
    }

    @Override
    public List<String> failures() {
        return List.copyOf(failures);
    }
}
