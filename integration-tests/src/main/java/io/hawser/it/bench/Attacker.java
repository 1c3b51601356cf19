package io.hawser.it.bench;

import io.hawser.core.config.HostPort;
import io.hawser.it.bench.links.BenchJvm;
import io.hawser.it.hostile.Attack;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An {@link Attack} in a process of its own, with a lower priority than the nodes: an attacker has a machine of its own.
 *
 * <p>Thread: one; {@link #end} any.
 */
final class Attacker {
    /** The lab gives the bench and its nodes a higher one; and Linux divides processors by session before priorities count. */
    private static final List<String> LOWER_PRIORITY = List.of("setsid", "nice", "-n", "10");

    private static final long LIMIT_SECONDS = 60;

    private final Process process;
    private final BufferedReader said;
    private final long beganNanos;

    private Attacker(Process process, BufferedReader said, long beganNanos) {
        this.process = process;
        this.said = said;
        this.beganNanos = beganNanos;
    }

    /**
     * @param keys its key directory
     * @param directory for what it says on standard error
     */
    static Attacker start(Attack.Kind kind, HostPort broker, Path keys, Path directory) throws IOException {
        List<String> command = new ArrayList<>(LOWER_PRIORITY);
        command.addAll(new BenchJvm(directory).command(Attack.class, kind.name(), broker.toString(), keys.toString()));
        Path log = directory.resolve("attacker.log");
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
        String first = said.readLine();
        if (!Attack.BEGUN.equals(first)) {
            process.destroyForcibly();
            throw new IOException("the attack did not begin: it printed " + first + "; its log: "
                    + Files.readString(log).strip());
        }
        return new Attacker(process, said, System.nanoTime());
    }

    /** Ends the attack, and returns how often a second it did its thing. */
    double stop() throws IOException, InterruptedException {
        double seconds = (System.nanoTime() - beganNanos) / 1e9;
        process.getOutputStream().close();
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException("the attack did not end");
        }
        String count = said.readLine();
        if (count == null) {
            throw new IOException("the attack failed with exit code " + process.exitValue());
        }
        return Long.parseLong(count) / seconds;
    }

    /** Kills it, if it still runs. */
    void end() {
        process.destroyForcibly();
    }
}
