package io.hawser.release.drill;

import io.hawser.ops.cli.Hawser;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Whether a process is the node that it is said to be, by its command line as the kernel has it. Asked before each signal: a pid may
 * have become somebody else's.
 *
 * <p>Thread: any.
 */
final class NodeProcessCheck {
    private static final Path PROC = Path.of("/proc");

    private NodeProcessCheck() {}

    /** The process. Throws with a sentence if there is none, or if it is another. */
    static ProcessHandle require(long pid, Part node) throws IOException {
        ProcessHandle process = ProcessHandle.of(pid)
                .orElseThrow(
                        () -> new IOException("there is no process " + pid + " that could be the " + node.command()));
        String role = role(commandLine(pid));
        if (!role.equals(node.command())) {
            throw new IOException("process " + pid + " is not the " + node.command() + " but "
                    + (role.isEmpty() ? "no Hawser node" : "'hawser " + role + "'") + "; nothing was done to it");
        }
        return process;
    }

    /** The hawser command that a process runs; empty if it is none. */
    static String role(List<String> commandLine) {
        int main = commandLine.indexOf(Hawser.class.getName());
        return main < 0 || main + 1 >= commandLine.size() ? "" : commandLine.get(main + 1);
    }

    private static List<String> commandLine(long pid) throws IOException {
        byte[] line = Files.readAllBytes(PROC.resolve(Long.toString(pid)).resolve("cmdline"));
        return Arrays.asList(new String(line, StandardCharsets.UTF_8).split("\0"));
    }
}
