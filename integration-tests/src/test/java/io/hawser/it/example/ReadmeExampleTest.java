package io.hawser.it.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadmeExampleTest {
    private static final Path ROOT = Path.of("..");

    @Test
    void exampleOfTheReadmeIsTheOneThatIsCompiled() throws IOException {
        List<String> source = Files.readAllLines(
                ROOT.resolve("integration-tests/src/test/java/io/hawser/it/example/SendExample.java"));
        int begin = source.indexOf("        // README begin");
        int end = source.indexOf("        // README end");
        String example = String.join("\n", source.subList(begin + 1, end)).stripIndent();

        assertThat(Files.readString(ROOT.resolve("README.md"))).contains(example.strip());
    }
}
