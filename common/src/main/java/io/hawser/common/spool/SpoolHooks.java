package io.hawser.common.spool;

import io.hawser.common.log.CrashPoints;
import java.util.function.LongSupplier;

/**
 * What a test puts in the place of the world.
 *
 * @param epochMillis the time
 * @param crashPoints named places of the journal
 */
record SpoolHooks(LongSupplier epochMillis, CrashPoints crashPoints) {
    static final SpoolHooks PRODUCTION = new SpoolHooks(System::currentTimeMillis, CrashPoints.NONE);
}
