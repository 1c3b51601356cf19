package io.hawser.it.harness;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A small C library for {@code LD_PRELOAD}, compiled from a resource beside the class that uses it. */
public final class PreloadedLibrary {
    private PreloadedLibrary() {}

    /**
     * Compiles it, unless that is done; returns its file.
     *
     * @param name of the resource, without {@code .c}
     */
    public static synchronized Path compile(Class<?> user, String name, Path directory) throws IOException {
        Path library = directory.resolve(name + ".so");
        if (Files.exists(library)) {
            return library;
        }
        Path source = directory.resolve(name + ".c");
        try (InputStream in = user.getResourceAsStream(name + ".c")) {
            if (in == null) {
                throw new IOException("no resource " + name + ".c beside " + user.getName());
            }
            Files.copy(in, source, StandardCopyOption.REPLACE_EXISTING);
        }
        Shell.run("cc", "-O2", "-shared", "-fPIC", "-o", library.toString(), source.toString(), "-ldl");
        return library;
    }
}
