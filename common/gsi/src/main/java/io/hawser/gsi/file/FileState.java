package io.hawser.gsi.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** Identifies a version of a file without reading it. */
record FileState(String name, String key, long modifiedMillis, long sizeBytes) {
    static FileState of(Path path) throws IOException {
        BasicFileAttributes facts = Files.readAttributes(path, BasicFileAttributes.class);
        return new FileState(
                path.toString(),
                String.valueOf(facts.fileKey()),
                facts.lastModifiedTime().toMillis(),
                facts.size());
    }

    static List<FileState> of(List<Path> paths) throws IOException {
        List<FileState> states = new ArrayList<>();
        for (Path path : paths) {
            states.add(of(path));
        }
        return List.copyOf(states);
    }
}
