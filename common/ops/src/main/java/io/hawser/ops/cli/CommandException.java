package io.hawser.ops.cli;

/**
 * Ends a command with one sentence for the user and an exit code; never shown with a stack trace unless
 * {@code HAWSER_DEBUG=1}.
 *
 * <p>Thread: immutable.
 */
public final class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ExitCode exitCode;

    public CommandException(ExitCode exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    public CommandException(ExitCode exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    public ExitCode exitCode() {
        return exitCode;
    }
}
