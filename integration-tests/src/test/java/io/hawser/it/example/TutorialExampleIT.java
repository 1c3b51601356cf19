package io.hawser.it.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agentb.AgentB;
import io.hawser.it.client.JavaProcess;
import io.hawser.it.client.LocalChain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TutorialExampleIT {
    private static final Path ROOT = Path.of("..");

    @Test
    void exampleOfTheTutorialIsTheOneThatIsCompiled() throws IOException {
        List<String> source = Files.readAllLines(
                ROOT.resolve("integration-tests/src/test/java/io/hawser/it/example/SendExample.java"));
        int begin = source.indexOf("        // tutorial begin");
        int end = source.indexOf("        // tutorial end");
        String example = String.join("\n", source.subList(begin + 1, end)).stripIndent();

        assertThat(Files.readString(ROOT.resolve("docs/tutorial-java.md"))).contains(example.strip());
    }

    @Test
    void exampleBringsTheFileToTheFarEnd(@TempDir Path directory) throws Exception {
        byte[] content = new byte[3_000_001];
        new Random(1).nextBytes(content);
        Files.write(directory.resolve("report.pdf"), content);
        Path into = directory.resolve("into");
        try (LocalChain chain = new LocalChain(directory)) {
            AgentB agent = chain.agentB("site-b", "site-b", into);
            Map<String, String> environment =
                    Map.of("XDG_STATE_HOME", directory.resolve("state").toString());
            List<String> arguments = List.of(chain.address().toString(), "report.pdf");
            try (JavaProcess example =
                    JavaProcess.start(directory, "example", environment, SendExample.class, arguments)) {
                assertThat(example.await()).as(example.err()).isZero();
                // It has waited for the delivery itself.
                assertThat(into.resolve("report.pdf")).hasBinaryContent(content);
                assertThat(directory.resolve("state/hawser/node.id")).exists();
            } finally {
                agent.stop();
            }
        }
    }
}
