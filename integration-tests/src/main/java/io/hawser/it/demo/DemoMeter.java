package io.hawser.it.demo;

import io.hawser.common.config.ByteSize;
import io.hawser.common.observe.HopStatus;
import io.hawser.common.observe.TransferStatus;
import io.hawser.it.harness.Chain;
import io.hawser.it.harness.Chain.Part;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches one transfer by the nodes' admin pages, and prints a line each second.
 *
 * <pre>
 *    4.0 s  client  64 MiB  | agent-a  63 MiB | broker  61 MiB | agent-b  60 MiB
 * </pre>
 *
 * <p>Thread: one.
 */
final class DemoMeter {
    private static final long POLL_MILLIS = 50;
    private static final long LINE_NANOS = 1_000_000_000L;

    private final Chain chain;
    private final String name;
    private final PrintWriter out;
    private final long beganNanos = System.nanoTime();
    private long lastLineNanos;
    private Supplier<Long> clientBytes = () -> 0L;

    /** What the nodes said last, kept while they are down. */
    private @Nullable HopStatus upload;

    private @Nullable HopStatus uplink;
    private @Nullable HopStatus brokerIn;
    private @Nullable HopStatus downlink;
    private boolean delivered;

    DemoMeter(Chain chain, String name, PrintWriter out) {
        this.chain = chain;
        this.name = name;
        this.out = out;
    }

    void client(Supplier<Long> sentBytes) {
        clientBytes = sentBytes;
    }

    /** Prints a line with the time since the beginning. */
    void say(String format, Object... values) {
        out.println(String.format(Locale.ROOT, "%5.1f s  ", secondsSince(beganNanos))
                + String.format(Locale.ROOT, format, values));
        out.flush();
    }

    /** Reads the admin pages of the nodes that run. */
    void poll() {
        agentA().ifPresent(status -> {
            upload = hop(status, HopStatus.CLIENT_TO_AGENT).orElse(upload);
            uplink = hop(status, HopStatus.PUBLISHER_TO_BROKER).orElse(uplink);
            delivered |= status.state().equals("delivered");
        });
        chain.status(Part.BROKER, name).ifPresent(status -> {
            brokerIn = hop(status, HopStatus.PUBLISHER_TO_BROKER).orElse(brokerIn);
            downlink = hop(status, HopStatus.toSubscription(Chain.SUBSCRIPTION)).orElse(downlink);
            delivered |= status.state().equals("delivered");
        });
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

    void printProgress() {
        say(
                "client %-9s %s | %s | %s",
                ByteSize.human(clientBytes.get()),
                part(Part.AGENT_A, spooledBytes()),
                part(Part.BROKER, brokerBytes()),
                part(Part.AGENT_B, agentBBytes()));
    }

    /** Bytes of the upload that are durable in the spool. */
    long spooledBytes() {
        return durable(upload);
    }

    /** Bytes that are durable at the broker, as the broker itself says, or as agent-a knew last. */
    long brokerBytes() {
        return Math.max(durable(brokerIn), durable(uplink));
    }

    /** Bytes that agent-b acked to the broker. */
    long agentBBytes() {
        return durable(downlink);
    }

    /** The hop from agent-a to the broker, as agent-a sees it. */
    Optional<HopStatus> uplink() {
        return Optional.ofNullable(uplink);
    }

    /** The hop from the broker to agent-b, as the broker sees it. */
    Optional<HopStatus> downlink() {
        return Optional.ofNullable(downlink);
    }

    boolean delivered() {
        return delivered;
    }

    static double secondsSince(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }

    private Optional<TransferStatus> agentA() {
        return chain.status(Part.AGENT_A, name);
    }

    private String part(Part part, long bytes) {
        String state = chain.isRunning(part) ? "" : " (dead)";
        return String.format(Locale.ROOT, "%s %9s%s", part.command(), ByteSize.human(bytes), state);
    }

    private static Optional<HopStatus> hop(TransferStatus status, String name) {
        return status.hops().stream().filter(hop -> hop.hop().equals(name)).findFirst();
    }

    private static long durable(@Nullable HopStatus hop) {
        return hop == null ? 0 : hop.durableBytes();
    }
}
