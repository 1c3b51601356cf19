package io.hawser.it.harness;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.Callable;

/** Closes a harness after its work, or when the process is interrupted before. */
public final class CloseAtExit {
    private CloseAtExit() {}

    /** Does the work of a harness, then closes the harness; returns what the work returned. */
    public static <T> T run(Closeable harness, Callable<T> work) throws Exception {
        Thread hook = new Thread(() -> closeForced(harness), "close-at-exit");
        Runtime.getRuntime().addShutdownHook(hook);
        T result;
        try (harness) {
            result = work.call();
        }
        Runtime.getRuntime().removeShutdownHook(hook);
        return result;
    }

    private static void closeForced(Closeable harness) {
        try {
            harness.close();
        } catch (IOException e) {
            System.err.println("not everything could be ended: " + e);
        }
    }
}
