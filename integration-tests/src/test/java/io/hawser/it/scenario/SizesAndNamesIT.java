package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Program;
import io.hawser.it.harness.Curl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Files of awkward sizes and names, many small ones, and one that is larger than all memory together. */
class SizesAndNamesIT extends Scenario {
    private static final int MANY = BIG ? 10_000 : 500;
    private static final int FILES_PER_DIRECTORY = 100;

    @Test
    void sizesAroundAFragmentArrive() throws Exception {
        chain.startAll();
        for (long size : new long[] {0, 1, 65_535, 65_536, 65_537, MIB - 1, MIB, MIB + 1, 3 * MIB + 17}) {
            Path source = sample("size-" + size, size, size);
            upload(source, "sizes/" + size);
        }
        for (long size : new long[] {0, 1, 65_535, 65_536, 65_537, MIB - 1, MIB, MIB + 1, 3 * MIB + 17}) {
            awaitDelivered(directory.resolve("size-" + size), "sizes/" + size);
        }
    }

    @Test
    void awkwardNamesArrive() throws Exception {
        chain.startAll();
        Path source = sample("source", 1000, 1);
        List<String> names = List.of(
                "with space",
                " leading and trailing ",
                "größe-文件-🚢",
                "-dash",
                "--help",
                "x".repeat(255),
                "ü".repeat(127) + "x",
                "a/b c/d/-e/ü",
                "per%20cent",
                "quo'te\"back\\slash",
                "#hash?query");
        for (String name : names) {
            upload(source, "n/" + name);
        }
        for (String name : names) {
            awaitDelivered(source, "n/" + name);
        }
    }

    @Test
    void namesThatWouldLeaveTheDirectoryAreRefused() throws Exception {
        chain.startAll();
        Path source = sample("source", 1000, 1);
        try (Curl curl = Curl.upload(chain.ftp(), source, "../../escaped", "--path-as-is", "--ftp-method", "nocwd")) {
            curl.await(LIMIT);
        }
        Path marker = sample("marker", 10, 2);
        upload(marker, "marker");
        awaitDelivered(marker, "marker");
        try (var paths = Files.walk(directory)) {
            assertThat(paths.filter(p -> p.getFileName().toString().equals("escaped"))
                            .filter(p -> !p.startsWith(chain.target())))
                    .isEmpty();
        }
    }

    @Test
    void manySmallFilesInATreeArrive() throws Exception {
        chain.startAll();
        Path tree = Files.createDirectories(directory.resolve("tree"));
        List<String> names = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            String name = "d" + i / FILES_PER_DIRECTORY + "/f" + i;
            Files.createDirectories(tree.resolve(name).getParent());
            sample("tree/" + name, 4096, i);
            names.add(name);
        }
        lftpMirror(tree, "tree");
        await("all files").until(() -> visible(chain.target()).size() == MANY);
        for (String name : names) {
            assertThat(Files.mismatch(tree.resolve(name), delivered("tree/" + name)))
                    .as(name)
                    .isEqualTo(-1);
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "hawser.big", matches = "true")
    void fiveGibibytesPassThroughNodesWith64MebibytesOfHeap() throws Exception {
        chain.startAll();
        Path source = sample("source", 5 * 1024 * MIB, 3);
        Instant began = Instant.now();
        upload(source, "five");
        awaitDelivered(source, "five");
        System.out.println("5 GiB took " + java.time.Duration.between(began, Instant.now()));
    }

    private void lftpMirror(Path tree, String to) throws Exception {
        String script = String.format(
                "set net:max-retries 3; set ftp:passive-mode true; open -u anonymous,x ftp://%s; mirror -R -P 16 '%s' '%s'",
                chain.ftp(), tree, to);
        var unused = Program.run(directory, "lftp", "-c", script).succeeded();
    }
}
