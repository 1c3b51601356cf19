package io.hawser.send;

import io.hawser.core.config.ConfigException;
import io.hawser.ops.cli.Terminal;
import io.hawser.ops.cli.TerminalDevice;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;

/**
 * What a send says, and to whom: text for people, lines of JSON for programs, or only what went wrong.
 *
 * <p>Thread: main only.
 */
public record SendOutput(PrintWriter out, PrintWriter err, Mode mode) {
    /** Who reads it. */
    public enum Mode {
        TEXT,
        QUIET,
        JSON
    }

    /** The output of a command with these options. Throws ConfigException if both are set. */
    public static SendOutput of(CommandSpec spec, boolean json, boolean quiet) {
        if (quiet && json) {
            throw new ConfigException("--quiet and --json exclude each other");
        }
        return new SendOutput(
                spec.commandLine().getOut(),
                spec.commandLine().getErr(),
                json ? Mode.JSON : quiet ? Mode.QUIET : Mode.TEXT);
    }

    /** What shows the progress of a run. */
    SendDisplay display(SendRun.Order order) {
        return switch (mode) {
            case QUIET -> SendDisplay.NONE;
            case JSON -> new JsonDisplay(out, err, order);
            case TEXT ->
                Terminal.showsErrors() && TerminalDevice.takesEscapes()
                        ? new TerminalDisplay(err, TerminalDevice::columns)
                        : new PlainDisplay(err);
        };
    }

    /** A line for people that is no error. */
    public void note(String line) {
        if (mode != Mode.QUIET) {
            err.println(line);
            err.flush();
        }
    }
}
