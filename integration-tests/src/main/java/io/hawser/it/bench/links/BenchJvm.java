package io.hawser.it.bench.links;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Programs of the benches in a JVM of their own, whose standard output is their answers: nothing is logged there. */
public final class BenchJvm {
    private final Path silent;

    /** @param directory for a file that says so */
    public BenchJvm(Path directory) throws IOException {
        silent = directory.resolve("logback.xml");
        Files.writeString(silent, "<configuration><root level=\"OFF\"/></configuration>\n");
    }

    /** The words that start it, with the class path of this JVM. */
    public List<String> command(Class<?> main, String... arguments) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-Dlogback.configurationFile=" + silent));
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        words.addAll(List.of(arguments));
        return words;
    }
}
