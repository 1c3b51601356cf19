package io.hawser.core.time;

import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The wall clock for what expires. A jump forward of more than a minute counts only after it has lasted for five minutes; until then
 * the time goes on as if the clock had not jumped. So a clock that is wrong for a moment expires nothing for good. A machine that was
 * suspended shows the same jump: things expire five minutes later there.
 *
 * <p>Thread: one owner.
 */
public final class ExpiryClock {
    private static final Logger LOG = LoggerFactory.getLogger(ExpiryClock.class);
    private static final long MAX_DIFFERENCE_MILLIS = 60_000;
    private static final long LASTING_MILLIS = 300_000;

    private final LongSupplier epochMillis;
    private final LongSupplier steadyMillis;
    private boolean isStarted;
    private boolean hasJumped;
    /** The wall clock minus the steady one, without a jump that has not lasted yet. */
    private long offsetMillis;
    /** The same with the jump. */
    private long jumpedOffsetMillis;
    /** When the jump was seen, by the steady clock. */
    private long jumpedAtMillis;

    /**
     * @param epochMillis the wall clock
     * @param steadyMillis a clock that is never set
     */
    public ExpiryClock(LongSupplier epochMillis, LongSupplier steadyMillis) {
        this.epochMillis = epochMillis;
        this.steadyMillis = steadyMillis;
    }

    /** Milliseconds since the epoch. The first call takes the wall clock as it is. */
    public long nowMillis() {
        long steady = steadyMillis.getAsLong();
        long offset = epochMillis.getAsLong() - steady;
        boolean agrees = !isStarted || offset - offsetMillis <= MAX_DIFFERENCE_MILLIS;
        boolean isSameJump = hasJumped && Math.abs(offset - jumpedOffsetMillis) <= MAX_DIFFERENCE_MILLIS;
        if (agrees || (isSameJump && steady - jumpedAtMillis >= LASTING_MILLIS)) {
            isStarted = true;
            hasJumped = false;
            offsetMillis = offset;
        } else if (!isSameJump) {
            hasJumped = true;
            jumpedOffsetMillis = offset;
            jumpedAtMillis = steady;
            LOG.atWarn()
                    .addKeyValue("seconds", (offset - offsetMillis) / 1000)
                    .log("The wall clock jumped forward. Nothing expires by that until it has lasted for five minutes."
                            + " Check the machine's time service");
        }
        return steady + offsetMillis;
    }
}
