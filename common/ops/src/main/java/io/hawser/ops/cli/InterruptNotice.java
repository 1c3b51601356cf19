package io.hawser.ops.cli;

import java.io.PrintWriter;

/**
 * What a command says at Ctrl-C or SIGTERM before its process ends with the code for that. What the command keeps on disk is whole at any
 * moment, so nothing else is to be done.
 *
 * <p>Thread: installed and closed by main; says it on {@code hawser-interrupted}.
 */
public final class InterruptNotice implements AutoCloseable {
    private final Thread hook;

    private InterruptNotice(Thread hook) {
        this.hook = hook;
    }

    /** @param sentence without the command's name before it, and without a full stop */
    public static InterruptNotice install(PrintWriter err, String sentence) {
        Thread hook = new Thread(
                () -> {
                    err.println();
                    err.println("hawser: " + sentence);
                    err.flush();
                    Runtime.getRuntime().halt(ExitCode.INTERRUPTED.code());
                },
                "hawser-interrupted");
        Runtime.getRuntime().addShutdownHook(hook);
        return new InterruptNotice(hook);
    }

    @Override
    public void close() {
        try {
            boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return; // Ctrl-C came now: the hook runs and has the last word
        }
    }
}
