package io.hawser.agenta.testkit;

import io.hawser.core.testkit.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** Tests with unmodified client programs, which have a directory for their files. */
public abstract class ClientPrograms extends OnFtpServer {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    protected Path directory;

    /** A file of the client. */
    protected final byte[] file(String name, int length) throws IOException {
        byte[] bytes = RandomBytes.of(length);
        Files.createDirectories(directory.resolve(name).getParent());
        Files.write(directory.resolve(name), bytes);
        return bytes;
    }

    /** A file of the far end. */
    protected final byte[] far(String name, int length) {
        byte[] bytes = RandomBytes.of(length);
        ftp.remote.connect().file(name, bytes);
        return bytes;
    }

    /** What the client has now. */
    protected final byte[] got(String name) throws IOException {
        return Files.readAllBytes(directory.resolve(name));
    }

    /** The address of a path here. */
    protected final String url(String path) {
        return "ftp://127.0.0.1:" + ftp.port + path;
    }

    /** The same at the port of GridFTP. */
    protected final String gsiUrl(String path) {
        return "gsiftp://127.0.0.1:" + ftp.gridftpPort() + path;
    }

    /** As globus-url-copy names a file of the client. */
    protected final String local(String name) {
        return "file://" + directory + "/" + name;
    }

    /** Runs globus-url-copy with these words of the environment and options, which a space separates. */
    protected final Program.Result copy(List<String> environment, String options, String... fromAndTo)
            throws Exception {
        List<String> command = new ArrayList<>(List.of("env"));
        command.addAll(environment);
        command.addAll(List.of("globus-url-copy", "-dbg"));
        command.addAll(List.of(options.split(" ")));
        command.removeIf(String::isEmpty);
        command.addAll(List.of(fromAndTo));
        return Program.run(directory, command.toArray(String[]::new));
    }
}
