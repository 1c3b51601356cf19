package io.hawser.it.ptcp;

import static org.awaitility.Awaitility.await;

import io.hawser.core.testkit.Program;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A PostgreSQL server of one's own: in a directory of its own, at a Unix socket in it, gone with it. */
final class PostgresServer {
    static final String USER = "tester";

    private static final Path INSTALLED = Path.of("/usr/lib/postgresql");
    private static final String NOBODYS_USER = "postgres";

    private final Path directory;
    private final Path data;
    private final Path log;
    private final Process process;

    private PostgresServer(Path directory, Process process) {
        this.directory = directory;
        this.process = process;
        data = data(directory);
        log = log(directory);
    }

    /** Starts one; skips the test where there is no PostgreSQL. */
    static PostgresServer start() throws Exception {
        if (!Program.isThere("pg_ctlcluster")) {
            Program.missing("PostgreSQL's server", "postgresql");
        }
        // Short, since a Unix socket's name is, and reachable for another user.
        Path directory = Files.createTempDirectory("hawser-pg");
        if (isRoot()) {
            Program.run(directory, "chown", NOBODYS_USER, directory.toString()).succeeded();
        }
        Program.run(
                        directory,
                        command("initdb", "-D", data(directory).toString(), "-U", USER, "-A", "trust", "--no-sync"))
                .succeeded();
        Process process = Program.start(
                directory,
                log(directory),
                command(
                        "postgres",
                        "-D",
                        data(directory).toString(),
                        "-k",
                        directory.toString(),
                        "-c",
                        "listen_addresses=",
                        "-c",
                        "fsync=off"));
        PostgresServer server = new PostgresServer(directory, process);
        try {
            await().until(server::isReady);
        } catch (RuntimeException e) {
            server.stop();
            throw e;
        }
        return server;
    }

    private static Path data(Path directory) {
        return directory.resolve("data");
    }

    private static Path log(Path directory) {
        return directory.resolve("log");
    }

    /** It refuses to run as root. */
    private static String[] command(String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            command.addAll(List.of("runuser", "-u", NOBODYS_USER, "--"));
        }
        command.add(newest().resolve("bin").resolve(program).toString());
        command.addAll(List.of(arguments));
        return command.toArray(new String[0]);
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private static Path newest() throws IOException {
        try (Stream<Path> versions = Files.list(INSTALLED)) {
            return versions.filter(version -> Files.isExecutable(version.resolve("bin/postgres")))
                    .max(Comparator.comparingInt(
                            version -> Integer.parseInt(version.getFileName().toString())))
                    .orElseThrow(() -> new AssertionError("there is no PostgreSQL server in " + INSTALLED));
        }
    }

    private boolean isReady() throws IOException {
        if (!process.isAlive()) {
            throw new AssertionError("PostgreSQL ended: " + Files.readString(log));
        }
        return Files.readString(log).contains("database system is ready to accept connections");
    }

    /** Where it listens. */
    UnixDomainSocketAddress address() {
        return UnixDomainSocketAddress.of(directory.resolve(".s.PGSQL.5432"));
    }

    /** Ends it by the process id in its own directory, and removes that. */
    void stop() throws IOException, InterruptedException {
        if (process.isAlive()) {
            Program.run(directory, command("pg_ctl", "stop", "-D", data.toString(), "-m", "immediate"));
        }
        if (!process.waitFor(TestTimes.SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
