package io.hawser.it.chaos;

import io.hawser.it.ledger.Violations;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.TransferPage;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Bytes that were sent again, as agent-a and the broker show them, over all lives of both: once a second the figures of the newest
 * transfers, of which the last before a death counts. Thread: its own.
 */
final class ResendMeter {
    private static final Duration TIMEOUT = TestTimes.scaled(Duration.ofSeconds(2));
    private static final int PAUSE_MILLIS = 1000;

    /**
     * One hop.
     *
     * @param resentBytes sent again
     * @param creditBytes the bound for one fault
     * @param faults that befell either end or the link
     */
    record Hop(long resentBytes, long creditBytes, int faults) {
        boolean holds() {
            return resentBytes <= creditBytes * faults;
        }

        /** Of both runs. */
        Hop with(Hop other) {
            return new Hop(
                    resentBytes + other.resentBytes, Math.max(creditBytes, other.creditBytes), faults + other.faults);
        }
    }

    private record Seen(String hop, String life, String transfer) {}

    private final Deployment deployment;
    private final Map<Seen, Long> resent = new HashMap<>();
    private final Map<String, Long> credit = new TreeMap<>();
    private final Thread thread = new Thread(this::run, "resend-meter");
    private volatile boolean stopping;

    ResendMeter(Deployment deployment, Violations violations) {
        this.deployment = deployment;
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler(violations::ended);
    }

    void start() {
        thread.start();
    }

    void stop() throws InterruptedException {
        stopping = true;
        thread.join(TIMEOUT.toMillis() * 10);
        lookAtAll();
    }

    /** By hop, called by who is at its other end than the broker. */
    Map<String, Hop> hops(FaultCounts counts) {
        Map<String, Long> sums = new TreeMap<>();
        resent.forEach((seen, bytes) -> sums.merge(seen.hop, bytes, Long::sum));
        Map<String, Hop> hops = new TreeMap<>();
        sums.forEach((hop, bytes) -> hops.put(hop, new Hop(bytes, credit.getOrDefault(hop, 0L), counts.onHopOf(hop))));
        return hops;
    }

    private void run() {
        try {
            while (!stopping) {
                lookAtAll();
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void lookAtAll() {
        look(deployment.agentA);
        deployment.brokers.stream().filter(Member::isReady).forEach(this::look);
    }

    private void look(Member node) {
        String life = node.name() + "/" + node.lives();
        try {
            byte[] page = Deployment.admin(node, TIMEOUT).get("/transfers", Map.of("limit", "300"));
            for (TransferStatus transfer : Json.read(page, TransferPage.class).transfers()) {
                for (HopStatus hop : transfer.hops()) {
                    take(node, life, transfer, hop);
                }
            }
        } catch (CommandException | IOException e) {
            return; // it is down just now
        }
    }

    private void take(Member node, String life, TransferStatus transfer, HopStatus status) {
        String hop = hopOf(node, transfer, status);
        if (!hop.isEmpty()) {
            resent.merge(new Seen(hop, life, transfer.key()), status.bytes().resentBytes(), Math::max);
            credit.merge(hop, status.bytes().creditBytes(), Math::max);
        }
    }

    private String hopOf(Member node, TransferStatus transfer, HopStatus status) {
        boolean uplink = status.hop().equals(HopStatus.PUBLISHER_TO_BROKER);
        if (node == deployment.agentA) {
            return uplink ? "agent-a" : "";
        }
        if (uplink) {
            return Stream.of("api", "app")
                    .filter(transfer.object().name()::startsWith)
                    .findFirst()
                    .orElse("");
        }
        return Deployment.SUBSCRIPTIONS.stream()
                .filter(subscription -> status.hop().equals(HopStatus.toSubscription(subscription)))
                .map(subscription -> "agent-" + subscription)
                .findFirst()
                .orElse("");
    }

    /** The hops that must be there. */
    static List<String> expected() {
        return List.of("agent-a", "agent-b1", "agent-b2", "api", "app");
    }
}
