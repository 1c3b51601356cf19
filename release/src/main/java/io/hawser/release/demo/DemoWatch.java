package io.hawser.release.demo;

import io.hawser.core.config.ByteSize;
import io.hawser.ops.observe.HopStatus;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Says what happens, with the time since the beginning, and waits for it, with a line of progress each second.
 *
 * <p>Thread: one.
 */
abstract class DemoWatch {
    private static final long POLL_MILLIS = 50;
    private static final long LINE_NANOS = 1_000_000_000L;

    private final PrintWriter out;
    private final long beganNanos = System.nanoTime();
    private long lastLineNanos;
    private LongSupplier clientBytes = () -> 0;

    /** What the publisher said last of its hop to a broker, kept while it is down. */
    @Nullable
    HopStatus uplink;

    /** What the broker said last of the same hop. */
    @Nullable
    HopStatus received;

    /** What the broker said last of its hop to agent-b. */
    @Nullable
    HopStatus downlink;

    DemoWatch(PrintWriter out) {
        this.out = out;
    }

    /** Bytes that are durable at the broker, as it says itself, or as agent-a knew last. */
    final long brokerBytes() {
        return Math.max(durable(received), durable(uplink));
    }

    /** Bytes that agent-b acked to the broker. */
    final long agentBBytes() {
        return durable(downlink);
    }

    /** Reads the admin pages of the nodes that run. */
    abstract void poll();

    /** How far the nodes are, as one line. */
    abstract String progress();

    /** From now on the progress says how much this client has sent. */
    void client(LongSupplier sentBytes) {
        clientBytes = sentBytes;
    }

    /** Prints a line with the time since the beginning. */
    void say(String format, Object... values) {
        out.println(String.format(Locale.ROOT, "%5.1f s  ", secondsSince(beganNanos))
                + String.format(Locale.ROOT, format, values));
        out.flush();
    }

    void printProgress() {
        say("client %-9s %s", ByteSize.human(clientBytes.getAsLong()), progress());
    }

    /** Polls until {@code condition} holds, and prints progress. Fails with {@code what} after the limit. */
    void await(String what, Duration limit, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (true) {
            poll();
            if (condition.getAsBoolean()) {
                return;
            }
            if (System.nanoTime() > deadline) {
                throw new DemoFailedException("gave up after " + limit.toSeconds() + " s: " + what);
            }
            if (System.nanoTime() - lastLineNanos > LINE_NANOS) {
                lastLineNanos = System.nanoTime();
                printProgress();
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    static double secondsSince(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }

    static long durable(@Nullable HopStatus hop) {
        return hop == null ? 0 : hop.bytes().durableBytes();
    }
}
