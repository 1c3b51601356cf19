package io.hawser.agenta.account;

import io.hawser.core.tls.PrivateFiles;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.ExitCode;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Asks for a new password; never as an argument, which other users of the machine could see. A mixin of commands that set one.
 *
 * <p>Thread: main only.
 */
final class NewPasswordOption {
    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "a file with the password in its first line; - is standard input")
    private @Nullable Path file;

    /** The hash of the new password: a file's first line, or what you type twice without echo, or standard input's first line. */
    PasswordHash ask() throws IOException {
        Path source = file;
        String password;
        if (source == null) {
            password = interactive();
        } else {
            password =
                    source.toString().equals("-") ? standardInput() : PrivateFiles.firstLine("--password-file", source);
        }
        if (password.isEmpty()) {
            throw new CommandException(ExitCode.USAGE, "the password is empty");
        }
        return PasswordHash.of(password, PasswordHash.ITERATIONS);
    }

    @SuppressWarnings("SystemConsoleNull") // later JDKs have one always; there, "-" says that it is standard input
    private static String interactive() throws IOException {
        Console console = System.console();
        if (console == null) {
            return standardInput();
        }
        char[] first = console.readPassword("Password: ");
        char[] second = console.readPassword("Again: ");
        if (first == null || second == null || !Arrays.equals(first, second)) {
            throw new CommandException(ExitCode.USAGE, "the two are not the same");
        }
        return new String(first);
    }

    private static String standardInput() throws IOException {
        String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        return line == null ? "" : line;
    }
}
