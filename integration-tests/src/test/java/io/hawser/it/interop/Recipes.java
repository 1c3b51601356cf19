package io.hawser.it.interop;

import io.hawser.core.testkit.Program;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import io.hawser.release.process.SampleFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A running chain that the recipes of one class share, files to send, and a shell that knows where both are.
 *
 * <p>A script sees {@code $HOST}, {@code $PORT}, {@code $FTP} (the URL of agent-a), {@code $FAR} (the directory that agent-b
 * delivers into) and, in its working directory, {@code f1k}, {@code f10m}, {@code f64m}, {@code empty} and {@code tree/}. {@code
 * same A B} waits until B is there and compares; {@code sametree A B} does so for directories. {@code patiently} repeats a command
 * until it succeeds. Whatever fails fails the script.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class Recipes {
    private static final String PRELUDE = """
            set -eu -o pipefail
            patiently() { for i in $(seq 300); do if "$@" > /dev/null 2>&1; then return 0; fi; sleep 0.1; done; "$@"; }
            same() { patiently cmp "$1" "$2"; }
            sametree() { patiently diff -r -x '.hawser*' "$1" "$2"; }
            mode_is() { test "$(stat -c %a "$1")" = "$2"; }
            same_time() { test "$(stat -c %Y "$1")" = "$(stat -c %Y "$2")"; }
            gone() { patiently test ! -e "$1"; }
            refused() { if "$@"; then echo "was not refused: $*"; return 1; fi; }
            """;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path directory;

    ProcessChain chain;

    /** Where the scripts run. */
    Path work;

    @BeforeAll
    void startChain() throws IOException {
        work = Files.createDirectories(directory.resolve("work"));
        SampleFile.write(work.resolve("f1k"), 1000, 1);
        SampleFile.write(work.resolve("f10m"), 10 << 20, 2);
        SampleFile.write(work.resolve("f64m"), 64 << 20, 3);
        Files.createFile(work.resolve("empty"));
        Path tree = Files.createDirectories(work.resolve("tree/sub/deep"))
                .getParent()
                .getParent();
        Files.createDirectories(tree.resolve("emptydir"));
        SampleFile.write(tree.resolve("a"), 5000, 4);
        SampleFile.write(tree.resolve("sub/b"), 70_000, 5);
        SampleFile.write(tree.resolve("sub/deep/c"), 1_500_000, 6);
        chain = configure(new ProcessChain(directory.resolve("chain"))).startAll();
        Files.createDirectories(chain.target().resolve("far"));
        run("cp f1k f10m f64m empty $FAR/far/; cp -r tree $FAR/far/tree");
    }

    /** What else the nodes are told. */
    ProcessChain configure(ProcessChain fresh) throws IOException {
        return fresh;
    }

    @AfterAll
    void endChain() {
        chain.close();
    }

    /** Runs a script with {@code client}; skipped where the client is missing. */
    void recipe(String client, String script) throws Exception {
        Program.needs(client);
        run(script);
    }

    /** Runs a script. */
    void run(String script) {
        try {
            String places = "HOST=%s PORT=%d FTP=ftp://%s FAR='%s'%n"
                    .formatted(chain.ftp().host(), chain.ftp().port(), chain.ftp(), chain.target());
            Program.run(work, "bash", "-c", PRELUDE + places + script).succeeded();
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "\nscript:\n" + script + "\nagent-a's log:\n" + tail(), e);
        }
    }

    private String tail() {
        String log = chain.node(Part.AGENT_A).log();
        return log.substring(Math.max(0, log.length() - 4000));
    }
}
