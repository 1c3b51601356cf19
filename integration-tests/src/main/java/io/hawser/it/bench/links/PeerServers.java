package io.hawser.it.bench.links;

import io.hawser.it.bench.links.Wan.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The servers of the peers at the right end of a link: a globus-gridftp-server, an nginx that takes PUT, an rsync daemon. All serve
 * one directory, and none forces what it writes.
 *
 * <p>Thread: one; {@link #close} any.
 */
final class PeerServers implements AutoCloseable {
    private static final int GRIDFTP_PORT = 2811;
    private static final int HTTP_PORT = 8080;
    private static final int RSYNC_PORT = 8730;
    private static final Duration START_LIMIT = Duration.ofSeconds(30);
    private static final long POLL_MILLIS = 50;
    private static final long END_SECONDS = 10;

    private final Wan wan;
    private final Path directory;
    private final Path root;
    private final List<Process> processes = new ArrayList<>();

    PeerServers(Wan wan, Path directory) throws IOException, InterruptedException {
        this.wan = wan;
        this.directory = Files.createDirectories(directory);
        this.root = Files.createDirectories(directory.resolve("root"));
        try {
            String address = Site.RIGHT.address();
            start(
                    "globus-gridftp-server",
                    "-aa",
                    "-allow-root",
                    "-anonymous-user",
                    "root",
                    "-home-dir",
                    root.toString(),
                    "-control-interface",
                    address,
                    "-data-interface",
                    address,
                    "-p",
                    Integer.toString(GRIDFTP_PORT));
            start("nginx", "-c", nginxConfiguration(address).toString());
            start(
                    "rsync",
                    "--daemon",
                    "--no-detach",
                    "--address",
                    address,
                    "--port",
                    Integer.toString(RSYNC_PORT),
                    "--config",
                    rsyncConfiguration().toString());
            for (int port : List.of(GRIDFTP_PORT, HTTP_PORT, RSYNC_PORT)) {
                awaitPort(port);
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** What they serve. */
    Path root() {
        return root;
    }

    /** The root's URL by GridFTP, without a slash at its end. */
    String gridFtp() {
        return "ftp://" + Site.RIGHT.address() + ":" + GRIDFTP_PORT + root;
    }

    /** The root's URL by HTTP, without a slash at its end. */
    String http() {
        return "http://" + Site.RIGHT.address() + ":" + HTTP_PORT;
    }

    /** The root's URL by rsync, without a slash at its end. */
    String rsync() {
        return "rsync://" + Site.RIGHT.address() + ":" + RSYNC_PORT + "/root";
    }

    private Path nginxConfiguration(String address) throws IOException {
        return Files.writeString(directory.resolve("nginx.conf"), """
                daemon off;
                user root;
                pid %1$s/nginx.pid;
                error_log %1$s/nginx.log;
                events {}
                http {
                    access_log off;
                    client_max_body_size 0;
                    client_body_temp_path %1$s/nginx-body;
                    server {
                        listen %2$s:%3$d;
                        root %4$s;
                        dav_methods PUT;
                    }
                }
                """.formatted(directory, address, HTTP_PORT, root));
    }

    private Path rsyncConfiguration() throws IOException {
        return Files.writeString(directory.resolve("rsyncd.conf"), """
                use chroot = no
                uid = root
                gid = root
                pid file = %1$s/rsyncd.pid
                [root]
                path = %2$s
                read only = no
                """.formatted(directory, root));
    }

    private void start(String... command) throws IOException {
        List<String> words = new ArrayList<>(wan.at(Site.RIGHT));
        words.addAll(List.of(command));
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(command[0] + ".log").toFile());
        builder.environment().putAll(wan.environment());
        processes.add(builder.start());
    }

    /** Looks from the right end itself, where a connection costs no round trip. */
    private void awaitPort(int port) throws IOException, InterruptedException {
        long began = System.nanoTime();
        while (wan.run(Site.RIGHT, "bash", "-c", "exec 3<>/dev/tcp/" + Site.RIGHT.address() + "/" + port) != 0) {
            if (System.nanoTime() - began > START_LIMIT.toNanos()) {
                throw new IOException("nothing listens on port " + port + "; see the logs in " + directory
                        + ". Peers need globus-gridftp-server, nginx and rsync (Debian: globus-gridftp-server-progs,"
                        + " nginx-light, rsync), and globus-url-copy, curl and aria2c");
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    @Override
    public void close() {
        // Their children end with them: nginx' workers see its death, the others have none when nobody is connected.
        processes.forEach(Process::destroy);
        // Who comes next finds their ports free, or would take an old server that ends for its own.
        processes.forEach(process -> process.onExit()
                .completeOnTimeout(process, END_SECONDS, TimeUnit.SECONDS)
                .join());
    }
}
