package io.hawser.core.testkit;

import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A real FTP or GridFTP server in a process of its own, on a free port of loopback that it keeps over restarts. Anonymous users may do
 * everything below {@link #root()}.
 *
 * <p>Thread: one.
 */
public final class FarServerProcess implements AutoCloseable {
    private static final long START_LIMIT_MILLIS = TestTimes.LIMIT.toMillis();

    /** See {@link #withAccount}. */
    public static final String ACCOUNT = "anna";

    /** See {@link #withAccount}. */
    public static final String PASSWORD = "not a secret";

    private static final String FTP = "ftp://127.0.0.1:%d";

    private static String pythonFound = "";

    private final Path directory;
    private final ReservedPort port;
    private final String urlOfRoot;
    private final List<String> command;
    private Process process;
    private final List<ProcessHandle> strays = new ArrayList<>();

    private FarServerProcess(Path directory, ReservedPort port, String urlOfRoot, List<String> command)
            throws IOException {
        this.directory = directory;
        this.port = port;
        this.urlOfRoot = urlOfRoot;
        this.command = command;
        this.process = launch();
    }

    /**
     * vsftpd.
     *
     * @param lines more lines of its configuration
     */
    public static FarServerProcess vsftpd(Path directory, String... lines) throws IOException {
        ReservedPort port = prepare(directory);
        Path config = vsftpdConfig(directory, port, lines);
        return new FarServerProcess(directory, port, FTP, List.of("vsftpd", config.toString()));
    }

    /**
     * A server on which {@value #ACCOUNT} may do everything with {@value #PASSWORD}, times and modes too: vsftpd where the process may
     * have a /etc/pam.d of its own (a mount that nobody else sees), which is how vsftpd learns of accounts; otherwise pyftpdlib.
     */
    public static FarServerProcess withAccount(Path directory) throws IOException, InterruptedException {
        Program.needs("vsftpd");
        Files.createDirectories(directory);
        if (!Program.runs(directory, "unshare", "-m", "mount", "-t", "tmpfs", "none", "/etc/pam.d")) {
            return pyftpdlib(directory, 0);
        }
        ReservedPort port = prepare(directory);
        Path config = vsftpdConfig(
                directory,
                port,
                "run_as_launching_user=NO",
                "anonymous_enable=NO",
                "local_enable=YES",
                "local_root=" + directory.resolve("root"),
                "chroot_local_user=YES",
                "guest_enable=YES",
                "guest_username=" + System.getProperty("user.name"),
                "virtual_use_local_privs=YES",
                "mdtm_write=YES",
                "pam_service_name=far");
        String script = """
                mount -t tmpfs none /etc/pam.d
                printf 'auth required pam_permit.so\naccount required pam_permit.so\nsession required pam_permit.so\n' > /etc/pam.d/far
                exec vsftpd '%s'
                """.formatted(config);
        return new FarServerProcess(directory, port, FTP, List.of("unshare", "-m", "sh", "-e", "-c", script));
    }

    private static Path vsftpdConfig(Path directory, ReservedPort port, String... lines) throws IOException {
        Program.needs("vsftpd");
        List<String> config = new ArrayList<>(List.of(
                "listen=YES",
                "listen_ipv6=NO",
                "listen_address=127.0.0.1",
                "listen_port=" + port.number(),
                "run_as_launching_user=YES",
                "background=NO",
                "anonymous_enable=YES",
                "anon_root=" + directory.resolve("root"),
                "no_anon_password=YES",
                "write_enable=YES",
                "anon_upload_enable=YES",
                "anon_mkdir_write_enable=YES",
                "anon_other_write_enable=YES",
                "anon_umask=022",
                "allow_writeable_chroot=YES",
                "secure_chroot_dir=" + Files.createDirectories(directory.resolve("empty")),
                "seccomp_sandbox=NO",
                "isolate=NO",
                "isolate_network=NO",
                "xferlog_enable=YES",
                "log_ftp_protocol=YES",
                "vsftpd_log_file=" + directory.resolve("log"),
                "xferlog_std_format=NO"));
        config.addAll(List.of(lines));
        Path file = directory.resolve("vsftpd.conf");
        return Files.write(file, config);
    }

    /**
     * A server on Python's pyftpdlib that knows XSHA256.
     *
     * @param bytesPerSecond how fast it takes an upload; 0 is without a limit
     */
    public static FarServerProcess pyftpdlib(Path directory, int bytesPerSecond)
            throws IOException, InterruptedException {
        ReservedPort port = prepare(directory);
        String python = pythonWithPyftpdlib(directory);
        Path script = directory.resolve("server.py");
        Files.writeString(script, PYFTPDLIB);
        List<String> command = List.of(
                python,
                script.toString(),
                directory.resolve("root").toString(),
                Integer.toString(port.number()),
                Integer.toString(bytesPerSecond));
        return new FarServerProcess(directory, port, FTP, command);
    }

    /** The first Python that has it; Debian's package is for Debian's own Python only, which another one may hide. */
    private static synchronized String pythonWithPyftpdlib(Path directory) throws IOException, InterruptedException {
        if (!pythonFound.isEmpty()) {
            return pythonFound;
        }
        Program.needs("python3");
        for (String python : List.of("python3", "/usr/bin/python3")) {
            boolean isThere = python.equals("python3") || Files.isExecutable(Path.of(python));
            if (isThere && Program.runs(directory, python, "-c", "import pyftpdlib")) {
                pythonFound = python;
                return python;
            }
        }
        Program.missing("pyftpdlib", "python3-pyftpdlib");
        throw new AssertionError("not reached");
    }

    /** globus-gridftp-server without GSI. Its root is the file system's, so paths begin with {@link #root()}. */
    public static FarServerProcess globus(Path directory) throws IOException {
        Program.needs("globus-gridftp-server");
        ReservedPort port = prepare(directory);
        String user = System.getProperty("user.name");
        return new FarServerProcess(
                directory,
                port,
                "gridftp://127.0.0.1:%d" + directory.resolve("root"),
                List.of(
                        "globus-gridftp-server",
                        "-aa",
                        "-allow-root",
                        "-anonymous-user",
                        user,
                        "-home-dir",
                        directory.resolve("root").toString(),
                        "-control-interface",
                        "127.0.0.1",
                        "-data-interface",
                        "127.0.0.1",
                        "-p",
                        Integer.toString(port.number())));
    }

    /**
     * globus-gridftp-server with GSI. Its root is the file system's.
     *
     * @param environment what tells it of certificates and the grid-mapfile, as {@code NAME=VALUE}
     */
    public static FarServerProcess globusWithGsi(Path directory, List<String> environment) throws IOException {
        Program.needs("globus-gridftp-server");
        ReservedPort port = prepare(directory);
        List<String> command = new ArrayList<>(List.of("env"));
        command.addAll(environment);
        command.addAll(List.of(
                "globus-gridftp-server",
                "-allow-root",
                "-log-level",
                "INFO", // who came in
                "-logfile",
                directory.resolve("log").toString(),
                "-control-interface",
                "127.0.0.1",
                "-data-interface",
                "127.0.0.1",
                "-p",
                Integer.toString(port.number())));
        return new FarServerProcess(directory, port, "gsiftp://127.0.0.1:%d" + directory.resolve("root"), command);
    }

    private static ReservedPort prepare(Path directory) throws IOException {
        Files.createDirectories(directory.resolve("root"));
        return ReservedPort.take();
    }

    private Process launch() throws IOException {
        Process started = Program.start(directory, directory.resolve("output"), command.toArray(String[]::new));
        long deadline = System.currentTimeMillis() + START_LIMIT_MILLIS;
        while (!accepts()) {
            if (!started.isAlive() || System.currentTimeMillis() > deadline) {
                started.destroyForcibly();
                throw new IllegalStateException(
                        command.get(0) + " did not start: " + Files.readString(directory.resolve("output")));
            }
            pause();
        }
        return started;
    }

    private boolean accepts() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port.number()), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void pause() {
        try {
            Thread.sleep(20); // between two looks at the port
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public int port() {
        return port.number();
    }

    /** The directory that the server shows. */
    public Path root() {
        return directory.resolve("root");
    }

    /** How agent-b names the directory {@code below} in {@link #root()}; without TLS. */
    public String url(String below) {
        return urlOfRoot.replace("%d", Integer.toString(port.number())) + "/" + below;
    }

    /** What it said and logged, for a failed test. */
    public String log() throws IOException {
        StringBuilder text = new StringBuilder();
        for (String name : List.of("output", "log")) {
            if (Files.exists(directory.resolve(name))) {
                text.append(Files.readString(directory.resolve(name)));
            }
        }
        return text.toString();
    }

    /** {@code kill -9} of the server and of its sessions. */
    public void kill() {
        try (Stream<ProcessHandle> sessions = process.descendants()) {
            sessions.forEach(strays::add);
        }
        process.destroyForcibly();
        strays.forEach(ProcessHandle::destroyForcibly);
        process.onExit().join();
        strays.forEach(stray -> stray.onExit().join());
        strays.clear();
    }

    /** Sends {@code signal}, such as {@code STOP}, to the server and to its sessions. */
    public void signal(String signal) throws IOException, InterruptedException {
        try (Stream<ProcessHandle> sessions = process.descendants()) {
            for (ProcessHandle one :
                    Stream.concat(Stream.of(process.toHandle()), sessions).toList()) {
                new ProcessBuilder("kill", "-" + signal, Long.toString(one.pid()))
                        .start()
                        .waitFor();
            }
        }
    }

    /** Starts it again on the same port, with the files that it had. */
    public void restart() throws IOException {
        process = launch();
    }

    @Override
    public void close() {
        kill();
        try {
            port.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final String PYFTPDLIB = """
            import hashlib, sys
            from pyftpdlib.authorizers import DummyAuthorizer
            from pyftpdlib.handlers import FTPHandler, ThrottledDTPHandler
            from pyftpdlib.servers import FTPServer

            root, port, rate = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])

            class Data(ThrottledDTPHandler):
                read_limit = rate

            class Handler(FTPHandler):
                proto_cmds = dict(FTPHandler.proto_cmds)
                proto_cmds['XSHA256'] = dict(perm='r', auth=True, arg=True, help='XSHA256 path')
                dtp_handler = Data

                def ftp_FEAT(self, line):
                    self.push('211-Features:\\r\\n EPSV\\r\\n MFMT\\r\\n MDTM\\r\\n SIZE\\r\\n REST STREAM\\r\\n MLST type*;size*;modify*;\\r\\n UTF8\\r\\n XSHA256\\r\\n')
                    self.respond('211 End')

                def ftp_XSHA256(self, path):
                    with open(path, 'rb') as file:
                        self.respond('250 ' + hashlib.sha256(file.read()).hexdigest().upper())

            authorizer = DummyAuthorizer()
            authorizer.add_anonymous(root, perm='elradfmwMT')
            authorizer.add_user('anna', 'not a secret', root, perm='elradfmwMT')
            Handler.authorizer = authorizer
            FTPServer(('127.0.0.1', port), Handler).serve_forever()
            """;
}
