package io.hawser.it.chaos;

import io.hawser.core.config.HostPort;
import io.hawser.core.testkit.Program;
import java.nio.file.Path;
import java.util.List;

/** What an FTP publisher uploads with. Thread: immutable. */
enum FtpTool {
    /** {@code curl -T}. */
    CURL("curl"),
    /** A program of this repository's, at a given rate. */
    PACED(""),
    /**
     * {@code lftp put}, once. It may not go on by itself with another connection: lftp 4.9.2 that has read the whole file and is
     * to send it again from its beginning sends 192 KiB of it and ends the data as if that were all.
     */
    LFTP("lftp"),
    /** {@code globus-url-copy} in MODE E with two data connections. */
    GLOBUS("globus-url-copy");

    private final String program;

    FtpTool(String program) {
        this.program = program;
    }

    boolean isInstalled() {
        return program.isEmpty() || Program.isThere(program);
    }

    /** The command line of lftp or globus-url-copy, which ends in time. */
    List<String> upload(HostPort ftp, Path source, String path, int limitSeconds) {
        if (this == GLOBUS) {
            return List.of(
                    "timeout",
                    Integer.toString(limitSeconds),
                    program,
                    "-p",
                    "2",
                    "file://" + source.toAbsolutePath(),
                    "ftp://anonymous:x@" + ftp + "/" + path);
        }
        return List.of(
                "timeout",
                Integer.toString(limitSeconds / 2),
                program,
                "-c",
                "set net:max-retries 1; set net:timeout 20; set net:reconnect-interval-base " + limitSeconds
                        + "; open -u anonymous,x -p " + ftp.port() + " " + ftp.host()
                        + "; put " + source + " -o \"" + path + "\"");
    }
}
