package io.hawser.release.drill;

import io.hawser.ops.cli.AdminClient;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.TransferPage;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Counts the canary bytes that agent-a and the broker sent again on each hop, across their restarts.
 *
 * <p>Thread: any; it has one of its own that looks twice a second.
 */
final class ResendWatch extends RepeatingThread {
    private static final int PAUSE_MILLIS = 500;
    private static final String NEWEST = "300";
    private static final String FROM_AGENT_A = "agent-a -> broker";
    private static final String FROM_API = "API -> broker";

    private record Seen(String hop, int incarnation, String transfer) {}

    private final DrillTarget deployment;
    private final String prefix;
    private final Map<Seen, Long> resent = new HashMap<>();
    private final Map<String, Long> credit = new TreeMap<>();
    private final Map<Part, Integer> faults = new EnumMap<>(Part.class);
    private final Map<Part, Integer> deaths = new EnumMap<>(Part.class);

    /** @param prefix what the names of this drill's canaries begin with */
    ResendWatch(DrillTarget deployment, String prefix) {
        super("drill-resend-watch", PAUSE_MILLIS);
        this.deployment = deployment;
        this.prefix = prefix;
    }

    @Override
    boolean round() {
        look();
        return true;
    }

    /** Something was done to a node; its figures begin anew if it died. */
    synchronized void fault(PlannedFault fault) {
        faults.merge(fault.node(), 1, Integer::sum);
        if (fault.kind() == FaultKind.KILL) {
            deaths.merge(fault.node(), 1, Integer::sum);
        }
    }

    /** Asks both nodes now. */
    void look() {
        look(Part.AGENT_A);
        look(Part.BROKER);
    }

    /** Sent again so far, by hop. */
    synchronized Map<String, Long> totals() {
        Map<String, Long> sums = new TreeMap<>();
        credit.keySet().forEach(hop -> sums.put(hop, 0L));
        resent.forEach((seen, bytes) -> sums.merge(seen.hop, bytes, Long::sum));
        return sums;
    }

    /** The credit of the hops that {@code node} is an end of. */
    synchronized long credit(Part node) {
        return credit.entrySet().stream()
                .filter(hop -> isEnd(hop.getKey(), node))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    synchronized Map<String, DrillReport.Hop> hops() {
        Map<String, DrillReport.Hop> hops = new TreeMap<>();
        totals().forEach((hop, bytes) -> {
            int befell = faults.entrySet().stream()
                    .filter(each -> isEnd(hop, each.getKey()))
                    .mapToInt(Map.Entry::getValue)
                    .sum();
            hops.put(hop, new DrillReport.Hop(bytes, credit.getOrDefault(hop, 0L), befell));
        });
        return hops;
    }

    /** Whether a node is an end of a hop. */
    static boolean isEnd(String hop, Part node) {
        return switch (node) {
            case BROKER -> true;
            case AGENT_A -> hop.equals(FROM_AGENT_A);
            case AGENT_B -> !hop.equals(FROM_AGENT_A) && !hop.equals(FROM_API);
        };
    }

    private void look(Part node) {
        Optional<AdminClient> admin = deployment.admin(node);
        if (admin.isEmpty()) {
            return;
        }
        int incarnation = incarnations(node);
        try {
            Map<String, String> query =
                    deployment.isShared() ? Map.of("limit", NEWEST, "key", prefix) : Map.of("limit", NEWEST);
            List<TransferStatus> page = Json.read(admin.get().get("/transfers", query), TransferPage.class)
                    .transfers();
            for (TransferStatus transfer : page) {
                if (transfer.object().name().startsWith(prefix)) {
                    transfer.hops().forEach(hop -> take(node, incarnation, transfer, hop));
                }
            }
        } catch (CommandException | IOException e) {
            return; // it is down just now
        }
    }

    private synchronized int incarnations(Part node) {
        return deaths.getOrDefault(node, 0);
    }

    private synchronized void take(Part node, int incarnation, TransferStatus transfer, HopStatus status) {
        String hop = hopOf(node, transfer, status);
        if (!hop.isEmpty()) {
            if (status.bytes().resentBytes() > 0) {
                resent.merge(
                        new Seen(hop, incarnation, transfer.key()),
                        status.bytes().resentBytes(),
                        Math::max);
            }
            credit.merge(hop, status.bytes().creditBytes(), Math::max);
        }
    }

    private String hopOf(Part node, TransferStatus transfer, HopStatus status) {
        boolean uplink = status.hop().equals(HopStatus.PUBLISHER_TO_BROKER);
        if (node == Part.AGENT_A) {
            return uplink ? FROM_AGENT_A : "";
        }
        if (uplink) {
            return transfer.object().name().startsWith(prefix + CanaryRoute.API.letter()) ? FROM_API : "";
        }
        return status.hop().replace("->", " -> ");
    }
}
