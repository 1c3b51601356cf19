package io.hawser.store.spool;

import io.hawser.store.log.CrashPoints;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What a test puts in the place of the world.
 *
 * @param epochMillis the wall clock
 * @param steadyMillis a clock that is never set, for how long something waits
 * @param crashPoints named places of the journal
 */
record SpoolHooks(LongSupplier epochMillis, LongSupplier steadyMillis, CrashPoints crashPoints) {
    static final SpoolHooks PRODUCTION = new SpoolHooks(
            System::currentTimeMillis, () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()), CrashPoints.NONE);
}
