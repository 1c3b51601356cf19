package io.hawser.ops.cli;

import java.util.ArrayList;
import java.util.List;

/**
 * The commands that a person can type after a node is ready. {@link NodeRunner} prints them where standard output is a terminal.
 *
 * <p>Thread: main only.
 */
public final class NextSteps {
    private record Step(String command, String effect) {}

    private final List<Step> steps = new ArrayList<>();

    /** @param arguments what follows the word {@code hawser} */
    public NextSteps hawser(String arguments, String effect) {
        return add(Terminal.command() + " " + arguments, effect);
    }

    /** Adds a command line that is taken as it is. */
    public NextSteps add(String command, String effect) {
        steps.add(new Step(command, effect));
        return this;
    }

    /** The lines of the terminal: each command below what it does. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("Next, in another terminal:");
        for (Step step : steps) {
            lines.add("  # " + step.effect());
            lines.add("  " + step.command());
        }
        lines.add("Ctrl-C stops it; what it has accepted is kept.");
        return lines;
    }
}
