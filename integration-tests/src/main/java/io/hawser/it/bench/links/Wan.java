package io.hawser.it.bench.links;

import com.fasterxml.jackson.databind.JsonNode;
import io.hawser.ops.observe.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Two sites in network namespaces and an emulated link between them, by a program {@code wan} that understands {@code up},
 * {@code exec SITE CMD}, {@code stats} (a line of JSON for each direction) and {@code down}. Needs root.
 *
 * <p>Thread: one; {@link #close} any.
 */
public final class Wan implements AutoCloseable {
    /** The two ends, and their addresses. */
    enum Site {
        LEFT("left", "10.77.0.1"),
        RIGHT("right", "10.77.0.2");

        private final String word;
        private final String address;

        Site(String word, String address) {
            this.word = word;
            this.address = address;
        }

        String address() {
            return address;
        }
    }

    private static final long LIMIT_SECONDS = 60;

    /** Whoever needs longer for what is measured here is called a failure. */
    private static final long PROGRAM_LIMIT_SECONDS = 180;

    /** A site has no name server; Globus asks for the name of its own address. */
    private static final String NAMED = "mount --bind \"$0\" /etc/hosts && exec \"$@\"";

    private final Path program;
    private final Path hosts;
    private final Map<String, String> environment;

    /**
     * @param directory where the program is
     * @param scratch for a file that the sites need
     * @throws IOException with what to do, if it is not there
     */
    Wan(Path directory, Path scratch) throws IOException {
        Optional<String> problem = problem(directory);
        if (problem.isPresent()) {
            throw new IOException(problem.get());
        }
        program = directory.resolve("wan").toAbsolutePath();
        hosts = scratch.resolve("hosts").toAbsolutePath();
        Files.writeString(
                hosts,
                "127.0.0.1 localhost " + InetAddress.getLocalHost().getHostName() + "\n" + Site.LEFT.address + " left\n"
                        + Site.RIGHT.address + " right\n");
        environment = Map.of("WAN_NAME", "hawser" + ProcessHandle.current().pid());
    }

    /** What is missing in the emulator's directory, and what to do about it. */
    public static Optional<String> problem(Path directory) {
        return Files.isExecutable(directory.resolve("wan")) && Files.isExecutable(directory.resolve("wanlink"))
                ? Optional.empty()
                : Optional.of(directory + " holds no link emulator: programs wan and wanlink (run make there if it"
                        + " holds their sources), or give their directory with --wan");
    }

    /** What {@link #at} needs in the environment. */
    Map<String, String> environment() {
        return environment;
    }

    /** Replaces the link. */
    void up(Link link) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("up"));
        words.addAll(link.options());
        run(words.toArray(String[]::new));
    }

    /** The words in front of a command that is to run at a site. */
    List<String> at(Site site) {
        return List.of(program.toString(), "exec", site.word, "bash", "-c", NAMED, hosts.toString());
    }

    /**
     * Runs a command at a site to its end, whose output is not wanted; returns its exit code.
     *
     * @throws IOException if it does not end within three minutes
     */
    int run(Site site, String... command) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(at(site));
        words.addAll(Arrays.asList(command));
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            if (!process.waitFor(PROGRAM_LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(command[0] + " has not ended within " + PROGRAM_LIMIT_SECONDS + " s");
            }
            return process.exitValue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
        }
    }

    /** Bytes of IP packets that a site has sent into the link since it is up. */
    long sentBytes(Site from) throws IOException, InterruptedException {
        String direction = from.word.equals("left") ? "left-right" : "right-left";
        for (String line : run("stats").split("\n")) {
            JsonNode counters = Json.tree(line.getBytes(StandardCharsets.UTF_8));
            if (counters.path("direction").asText().equals(direction)) {
                return counters.path("in_bytes").asLong();
            }
        }
        throw new IOException("wan stats says nothing of " + direction);
    }

    @Override
    public void close() throws IOException {
        try {
            run("down");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The same at the end of the program: what fails is only said. */
    void end() {
        try {
            close();
        } catch (IOException e) {
            System.err.println("the link could not be taken down: " + e.getMessage());
        }
    }

    private String run(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(Arrays.asList(words));
        Path said = Files.createTempFile("hawser-wan-", ".out");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
            String output = Files.readString(said).strip();
            if (!ended || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IOException("'wan " + String.join(" ", words) + "' failed: " + output);
            }
            return output;
        } finally {
            Files.delete(said);
        }
    }
}
