package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.it.harness.Curl;
import io.hawser.ops.cli.AdminClient;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import io.hawser.release.process.SampleFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Three real processes in a temporary directory, and what the scenarios ask of them. */
@ExtendWith(KeepLogs.class)
public abstract class Scenario {
    /** Gigabytes and many thousands, instead of what fits into a normal build. */
    protected static final boolean BIG = Boolean.getBoolean("hawser.big");

    protected static final long MIB = 1 << 20;
    protected static final Duration LIMIT = BIG ? TestTimes.scaled(Duration.ofMinutes(15)) : TestTimes.LIMIT;

    /** The data of a failed test stays. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    protected Path directory;

    protected ProcessChain chain;

    @BeforeEach
    protected void makeChain() throws IOException {
        chain = new ProcessChain(directory.resolve("chain"));
    }

    @AfterEach
    protected void endChain() {
        chain.close();
    }

    protected static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(LIMIT).pollInterval(Duration.ofMillis(50));
    }

    /** A new file of random content beside the chain. */
    protected Path sample(String name, long sizeBytes, long seed) throws IOException {
        Path file = directory.resolve(name);
        SampleFile.write(file, sizeBytes, seed);
        return file;
    }

    /** Uploads to the end and demands curl's success. */
    protected void upload(Path source, String path, String... options) throws Exception {
        try (Curl curl = Curl.upload(chain.ftp(), source, path, options)) {
            assertThat(curl.await(LIMIT)).as(() -> complaints(curl)).isZero();
        }
    }

    protected static String complaints(Curl curl) {
        try {
            return "curl said: " + curl.complaints();
        } catch (IOException e) {
            return e.getMessage();
        }
    }

    protected Path delivered(String path) {
        return chain.target().resolve(path);
    }

    /** Waits until the file is there, which it is only when it is whole, and compares it. */
    protected void awaitDelivered(Path source, String path) throws IOException {
        Path there = delivered(path);
        await(path + " at the far end").until(() -> Files.exists(there));
        assertThat(Files.mismatch(there, source)).as("first byte that differs").isEqualTo(-1);
    }

    /** Names of all that is visible below the target directory, hidden working directories left out. */
    protected static List<String> visible(Path target) throws IOException {
        TreeSet<String> names = new TreeSet<>();
        try (Stream<Path> paths = Files.walk(target)) {
            paths.filter(Files::isRegularFile)
                    .map(path -> target.relativize(path).toString())
                    .filter(name -> !name.startsWith(".hawser"))
                    .forEach(names::add);
        }
        return List.copyOf(names);
    }

    /** One hop of a transfer as a node shows it. */
    protected Optional<HopStatus> hop(Part node, String name, String hop) {
        return chain.status(node, name).flatMap(status -> status.hop(hop));
    }

    /** A page of a node's admin server. */
    protected String page(Part node, String path) {
        byte[] page = new AdminClient(chain.admin(node).orElseThrow(), null).get(path, Map.of());
        return new String(page, StandardCharsets.UTF_8);
    }

    protected void awaitHop(Part node, String name, String hop, Predicate<HopStatus> condition) {
        await(hop + " of " + name)
                .until(() -> hop(node, name, hop).filter(condition).isPresent());
    }

    /** How many far ends said {@code status}, as agent-a knows it. */
    protected long receipts(String name, String status) {
        return chain.status(Part.AGENT_A, name).stream()
                .flatMap(line -> line.receipts().stream())
                .filter(r -> r.status().equals(status))
                .count();
    }

    /** Waits for the file, and returns what a hop showed last before. */
    protected HopStatus awaitDeliveredWatching(Path source, String path, Part node, String hop) throws IOException {
        AtomicReference<HopStatus> last =
                new AtomicReference<>(hop(node, path, hop).orElseThrow());
        await(path + " at the far end").until(() -> {
            hop(node, path, hop).ifPresent(last::set);
            return Files.exists(delivered(path));
        });
        awaitDelivered(source, path);
        return last.get();
    }
}
