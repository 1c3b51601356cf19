package io.hawser.store.testkit;

import io.hawser.store.runtime.StoreRuntime;
import io.hawser.store.runtime.ThreadedDisk;

/** What a log of a test runs with. */
public final class TestRuntime {
    private TestRuntime() {}

    /** Threads, which end by themselves when they have nothing to do; real clocks and random numbers. */
    public static StoreRuntime threads() {
        return StoreRuntime.of(new ThreadedDisk("test", 2));
    }
}
