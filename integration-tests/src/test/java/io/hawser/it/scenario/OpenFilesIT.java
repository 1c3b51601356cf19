package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Program;
import io.hawser.it.harness.Curl;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Nodes that have no file descriptor left: no disk has failed, and they go on when there are some again. */
class OpenFilesIT extends Scenario {
    private static final Duration BRIEF = Duration.ofSeconds(4);
    private static final int USUAL_LIMIT = 4096;
    /** Enough for the control connection at most, and for most of what an upload needs. */
    private static final int MOST_LEFT = 8;

    @Test
    void lackOfDescriptorsEndsNoNode() throws Exception {
        chain.startAll();
        Path source = sample("source", 3 * MIB, 1);
        upload(source, "before");
        awaitDelivered(source, "before");

        for (int left = 0; left <= MOST_LEFT; left += 2) {
            for (Part part : Part.values()) {
                limit(part, highestDescriptor(part) + 1 + left);
            }
            try (Curl curl = Curl.upload(
                    chain.ftp(), source, "lacking-" + left, "--max-time", Long.toString(BRIEF.toSeconds()))) {
                curl.await(LIMIT);
            }
        }
        for (Part part : Part.values()) {
            limit(part, USUAL_LIMIT);
        }

        upload(source, "after");
        awaitDelivered(source, "after");
        for (Part part : Part.values()) {
            assertThat(chain.isRunning(part)).as("%s runs", part).isTrue();
            assertThat(Files.readString(chain.logFile(part)))
                    .as("%s", part)
                    .doesNotContain("disk failed", "Check the disk");
        }
    }

    private void limit(Part part, int descriptors) throws Exception {
        Program.run(
                        directory,
                        "prlimit",
                        "--pid",
                        Long.toString(chain.node(part).pid()),
                        "--nofile=" + descriptors + ":")
                .succeeded();
    }

    /** Descriptors are numbered from the lowest that is free; the limit is for the number. */
    private int highestDescriptor(Part part) throws IOException {
        try (Stream<Path> open =
                Files.list(Path.of("/proc", Long.toString(chain.node(part).pid()), "fd"))) {
            return open.mapToInt(fd -> Integer.parseInt(fd.getFileName().toString()))
                    .max()
                    .orElseThrow();
        }
    }
}
