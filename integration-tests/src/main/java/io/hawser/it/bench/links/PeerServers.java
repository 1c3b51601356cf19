package io.hawser.it.bench.links;

import io.hawser.it.bench.links.Wan.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The servers of the peers at the right end of a link: a globus-gridftp-server, an nginx that takes PUT, an rsync daemon, or some of
 * them. All serve one directory, and none forces what it writes.
 *
 * <p>Thread: one; {@link #close} any.
 */
final class PeerServers implements AutoCloseable {
    enum Server {
        GRIDFTP("globus-gridftp-server", 2811),
        HTTP("nginx", 8080),
        RSYNC("rsync", 8730);

        private final String program;
        private final int port;

        Server(String program, int port) {
            this.program = program;
            this.port = port;
        }

        /** What has to be installed. */
        String program() {
            return program;
        }
    }

    private static final Duration START_LIMIT = Duration.ofSeconds(30);
    private static final long POLL_MILLIS = 50;
    private static final long END_SECONDS = 10;

    private final Wan wan;
    private final Path directory;
    private final Path root;
    private final List<Process> processes = new ArrayList<>();

    /** Starts {@code servers}, whose programs are installed. */
    PeerServers(Wan wan, Path directory, Set<Server> servers) throws IOException, InterruptedException {
        this.wan = wan;
        this.directory = Files.createDirectories(directory);
        this.root = Files.createDirectories(directory.resolve("root"));
        try {
            for (Server server : servers) {
                start(server);
            }
            for (Server server : servers) {
                awaitPort(server.port);
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
        return "ftp://" + Site.RIGHT.address() + ":" + Server.GRIDFTP.port + root;
    }

    /** The root's URL by HTTP, without a slash at its end. */
    String http() {
        return "http://" + Site.RIGHT.address() + ":" + Server.HTTP.port;
    }

    /** The root's URL by rsync, without a slash at its end. */
    String rsync() {
        return "rsync://" + Site.RIGHT.address() + ":" + Server.RSYNC.port + "/root";
    }

    private Path nginxConfiguration(String address) throws IOException {
        return Files.writeString(
                directory.resolve("nginx.conf"), """
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
                """.formatted(directory, address, Server.HTTP.port, root));
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

    private void start(Server server) throws IOException {
        String address = Site.RIGHT.address();
        String port = Integer.toString(server.port);
        switch (server) {
            case GRIDFTP ->
                start(
                        server.program + " -aa -allow-root -anonymous-user root -p " + port + " -control-interface "
                                + address + " -data-interface " + address + " -home-dir",
                        root.toString());
            case HTTP ->
                start(server.program + " -c", nginxConfiguration(address).toString());
            case RSYNC ->
                start(
                        server.program + " --daemon --no-detach --address " + address + " --port " + port + " --config",
                        rsyncConfiguration().toString());
        }
    }

    /** @param last a path, which may have blanks */
    private void start(String words, String last) throws IOException {
        List<String> command = new ArrayList<>(wan.at(Site.RIGHT));
        command.addAll(List.of(words.split(" ")));
        command.add(last);
        String program = words.substring(0, words.indexOf(' '));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(program + ".log").toFile());
        builder.environment().putAll(wan.environment());
        processes.add(builder.start());
    }

    /** Looks from the right end itself, where a connection costs no round trip. */
    private void awaitPort(int port) throws IOException, InterruptedException {
        long began = System.nanoTime();
        while (wan.run(Site.RIGHT, "bash", "-c", "exec 3<>/dev/tcp/" + Site.RIGHT.address() + "/" + port) != 0) {
            if (System.nanoTime() - began > START_LIMIT.toNanos()) {
                throw new IOException("nothing listens on port " + port + "; see the logs in " + directory);
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
