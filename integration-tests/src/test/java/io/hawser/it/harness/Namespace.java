package io.hawser.it.harness;

import io.hawser.core.testkit.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Linux namespaces for one shell script: a network that has nothing but loopback, so that fixed ports are free; mounts that nobody
 * else sees; and processes that all end with the script.
 */
public final class Namespace {
    private static final List<String> UNSHARE =
            List.of("unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc");

    private Namespace() {}

    /** Runs {@code script} with bash in {@code directory}. Skips the test where it is not allowed (CI=true: fails it). */
    public static Program.Result run(Path directory, String script) throws IOException, InterruptedException {
        Program.needs("unshare");
        Program.needs("ip");
        for (List<String> more : List.of(List.<String>of(), List.of("--map-root-user"))) {
            if (run(directory, more, "true").exitStatus() == 0) {
                return run(directory, more, "set -eu -o pipefail\nip link set lo up\n" + script);
            }
        }
        Program.unavailable("no right to make namespaces (as root, or with user namespaces)");
        throw new AssertionError("not reached");
    }

    private static Program.Result run(Path directory, List<String> options, String script)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(UNSHARE);
        command.addAll(options);
        command.addAll(List.of("bash", "-c", script));
        return Program.run(directory, command.toArray(String[]::new));
    }
}
