package io.hawser.it.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agentb.AgentB;
import io.hawser.it.client.JavaProcess;
import io.hawser.it.client.LocalChain;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds {@code examples/} outside of this build, with the published artifacts alone, and runs its programs. */
class ExamplesIT {
    private static final Path EXAMPLES = Path.of("../examples");

    @TempDir
    static Path project;

    @TempDir
    Path directory;

    @BeforeAll
    static void build() throws IOException, InterruptedException {
        ArtifactRepository repository = ArtifactRepository.create(project.resolve("repository"));
        try (Stream<Path> files = Files.walk(EXAMPLES)) {
            for (Path file : files.toList()) {
                Path relative = EXAMPLES.relativize(file);
                if (!relative.startsWith("target")) {
                    Files.copy(file, project.resolve("examples").resolve(relative));
                }
            }
        }
        Path log = project.resolve("mvn.log");
        Process maven = new ProcessBuilder(
                        mvn(),
                        "--offline",
                        "--quiet",
                        "--batch-mode",
                        "-Dmaven.repo.local=" + repository.directory(),
                        "--file=" + project.resolve("examples/pom.xml"),
                        "package")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(maven.waitFor(3 * TestTimes.SECONDS, TimeUnit.SECONDS))
                .as("mvn package ended")
                .isTrue();
        assertThat(maven.exitValue()).as(Files.readString(log)).isZero();
    }

    private static String mvn() {
        Path home = Path.of(System.getProperty("hawser.maven.home", "/usr/share/maven"));
        return home.resolve("bin/mvn").toString();
    }

    private static String classPath(boolean withProvider) throws IOException {
        Path target = project.resolve("examples/target");
        try (Stream<Path> jars = Files.list(target.resolve("lib"))) {
            return Stream.concat(Stream.of(target.resolve("classes")), jars)
                    .map(Path::toString)
                    .filter(jar -> withProvider || !jar.contains("slf4j-nop"))
                    .collect(Collectors.joining(File.pathSeparator));
        }
    }

    private JavaProcess start(String program, String... arguments) throws IOException {
        return start(true, program, arguments);
    }

    private JavaProcess start(boolean withProvider, String program, String... arguments) throws IOException {
        Map<String, String> environment =
                Map.of("XDG_STATE_HOME", directory.resolve("state").toString());
        return JavaProcess.start(
                directory, program, environment, classPath(withProvider), "examples." + program, List.of(arguments));
    }

    private static void assertPrints(JavaProcess program, String output) throws Exception {
        assertThat(program.await()).as(program.err()).isZero();
        assertThat(program.err()).isEmpty();
        assertThat(program.out()).isEqualTo(output);
    }

    private byte[] file(String name, int bytes) throws IOException {
        byte[] content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        Files.write(directory.resolve(name), content);
        return content;
    }

    @Test
    void fiveLinesSendAFileWithoutLogNoise() throws Exception {
        byte[] content = file("report.pdf", 3_000_001);
        Path into = directory.resolve("into");
        try (LocalChain chain = new LocalChain(directory)) {
            AgentB agent = chain.agentB("site-b", "site-b", into);
            try (JavaProcess send = start("SendFile", chain.address().toString(), "site-b", "report.pdf")) {
                assertPrints(send, "delivered report.pdf\n");
                assertThat(into.resolve("report.pdf")).hasBinaryContent(content);
            } finally {
                agent.stop();
            }
        }
    }

    @Test
    void withoutAProviderOnlySlf4jComplains() throws Exception {
        file("report.pdf", 100);
        try (LocalChain chain = new LocalChain(directory)) {
            AgentB agent = chain.agentB("site-b", "site-b", directory.resolve("into"));
            try (JavaProcess send = start(false, "SendFile", chain.address().toString(), "site-b", "report.pdf")) {
                assertThat(send.await()).as(send.err()).isZero();
                assertThat(send.err().lines()).isNotEmpty().allMatch(line -> line.startsWith("SLF4J"));
                assertThat(send.out()).isEqualTo("delivered report.pdf\n");
            } finally {
                agent.stop();
            }
        }
    }

    @Test
    void filesAreReceivedOneByOne() throws Exception {
        file("one", 100);
        try (LocalChain chain = new LocalChain(directory);
                JavaProcess receive = start("ReceiveFiles", chain.address().toString(), "site-b", "indexer", "2")) {
            await().until(() -> receive.out().contains("subscribed\n"));
            for (int i = 0; i < 2; i++) {
                try (JavaProcess send = start("SendFile", chain.address().toString(), "site-b", "one")) {
                    assertPrints(send, "delivered one\n");
                }
            }
            assertPrints(receive, "subscribed\none: 100 bytes\none: 100 bytes\n");
        }
    }

    @Test
    void aRequestIsAnswered() throws Exception {
        try (LocalChain chain = new LocalChain(directory);
                JavaProcess greeter = start("Greeter", chain.address().toString(), "greetings", "1")) {
            await().until(() -> greeter.out().contains("subscribed\n"));
            try (JavaProcess ask = start("Ask", chain.address().toString(), "greetings", "anna")) {
                assertPrints(ask, "hello anna\n");
            }
            assertPrints(greeter, "subscribed\n");
        }
    }

    @Test
    void textIsEchoedOverPtcpSockets() throws Exception {
        try (JavaProcess echo = start("PtcpEcho", "hello")) {
            assertPrints(echo, "hello\n");
        }
    }

    @Test
    void theTutorialShowsTheLinesOfTheExample() throws IOException {
        List<String> source = Files.readAllLines(EXAMPLES.resolve("src/main/java/examples/SendFile.java"));
        int begin = source.indexOf("        // tutorial begin");
        int end = source.indexOf("        // tutorial end");
        String lines =
                String.join("\n", source.subList(begin + 1, end)).stripIndent().strip();

        assertThat(lines.lines()).hasSize(5);
        assertThat(Files.readString(Path.of("../docs/tutorial-java.md"))).contains(lines);
    }
}
