package io.hawser.ops.cli;

import io.hawser.core.config.ConfigException;
import io.hawser.core.model.Printable;
import io.hawser.store.storage.CannotOpenNowException;
import io.hawser.store.storage.DirectoryInUseException;
import io.hawser.store.storage.PathExistsException;
import io.hawser.store.storage.PathMissingException;
import io.hawser.store.storage.RemoteStoreUnavailableException;
import io.hawser.store.storage.StorageException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * Turns what a command threw into one line for the user and an exit code. A defect of Hawser (a
 * RuntimeException that is not made for users, or an Error) says so, and how to see its stack trace.
 *
 * <p>Thread: any.
 */
public final class Errors {
    private static final String WHAT_TO_DO =
            "; this is a defect of hawser: run it again with HAWSER_DEBUG=1 and report what it prints";

    private Errors() {}

    /** Prints the sentence, with the stack trace if {@code HAWSER_DEBUG=1}; returns the exit code. */
    public static int report(Throwable thrown, PrintWriter err) {
        return report(thrown, err, Hawser.isDebug());
    }

    static int report(Throwable thrown, PrintWriter err, boolean debug) {
        Throwable cause = unwrap(thrown);
        if (cause instanceof ConfigException config) {
            config.problems().forEach(problem -> err.println("hawser: " + Printable.text(problem)));
        } else {
            err.println("hawser: " + Printable.text(sentence(cause)) + (isDefect(cause) && !debug ? WHAT_TO_DO : ""));
        }
        if (debug) {
            cause.printStackTrace(err);
        }
        err.flush();
        return exitCode(cause).code();
    }

    /** The exit code that an error ends a command with. */
    public static ExitCode exitCode(Throwable thrown) {
        Throwable cause = unwrap(thrown);
        if (cause instanceof CommandException command) {
            return command.exitCode();
        }
        if (cause instanceof ConfigException) {
            return ExitCode.USAGE;
        }
        if (isPortTaken(cause) || cause instanceof DirectoryInUseException) {
            return ExitCode.BUSY;
        }
        if (cause instanceof RemoteStoreUnavailableException
                || cause instanceof ConnectException
                || cause instanceof NoRouteToHostException
                || cause instanceof UnknownHostException) {
            return ExitCode.CANNOT_CONNECT;
        }
        boolean isOfPath = cause instanceof PathExistsException
                || cause instanceof PathMissingException
                || (cause instanceof CannotOpenNowException unopened && unopened.isForWantOfDescriptors());
        return cause instanceof StorageException && !isOfPath ? ExitCode.STORAGE : ExitCode.FAILED;
    }

    /** Only the text says so: the JDK has the same exception for an address that this machine does not have. */
    private static boolean isPortTaken(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException
                    && String.valueOf(cause.getMessage()).contains("Address already in use")) {
                return true;
            }
        }
        return false;
    }

    /** What happened, as one line. */
    public static String sentence(Throwable thrown) {
        Throwable cause = unwrap(thrown);
        String message = cause.getMessage() == null ? "" : cause.getMessage().replaceAll("\\s*\\R\\s*", " ");
        if (cause instanceof CommandException || cause instanceof ConfigException) {
            return message;
        }
        if (cause instanceof OutOfMemoryError) {
            return "out of memory (" + message + "); HAWSER_JAVA_OPTS=-Xmx256m gives it more";
        }
        if (cause instanceof NoSuchFileException) {
            return "there is no file or directory " + message;
        }
        if (cause instanceof AccessDeniedException) {
            return "no permission for " + message;
        }
        if (cause instanceof FileAlreadyExistsException) {
            return message + " exists already";
        }
        if (cause instanceof NotDirectoryException) {
            return message + " is not a directory";
        }
        if (cause instanceof UnknownHostException) {
            return "there is no host " + message;
        }
        return message.isEmpty() || isDefect(cause)
                ? cause.getClass().getSimpleName() + (message.isEmpty() ? "" : ": " + message)
                : message;
    }

    private static boolean isDefect(Throwable cause) {
        return !(cause instanceof CommandException
                || cause instanceof ConfigException
                || cause instanceof IOException
                || cause instanceof OutOfMemoryError
                || cause instanceof IllegalArgumentException);
    }

    private static Throwable unwrap(Throwable thrown) {
        Throwable cause = thrown;
        while ((cause instanceof CompletionException
                        || cause instanceof ExecutionException
                        || cause instanceof java.io.UncheckedIOException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
