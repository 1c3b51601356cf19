package io.hawser.it.chaos;

import io.hawser.it.ledger.Violations;
import io.hawser.ops.cli.CommandException;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/** Reads the histories of the nodes of a run that has become quiet, and has them audited with the events that came. Thread: one. */
final class EventCheck {
    private static final Duration LIMIT = TestTimes.scaled(Duration.ofMinutes(5));
    private static final Duration LOOK = Duration.ofSeconds(2);
    /** Looks without a change after which what full disks may have cost is no longer waited for. */
    private static final int LAST_LOOKS = 15;

    private static final int SHOWN = 20;

    private final RunParts parts;
    private final Map<String, Publications> publications;
    private final AtomicReference<@Nullable EventAudit> last = new AtomicReference<>();
    private final boolean mayBeLost;
    private int unchangedLooks;
    private long seen;
    private volatile String problem = "the histories were not read";

    EventCheck(RunParts parts, Map<String, Publications> publications) {
        this.parts = parts;
        this.publications = publications;
        this.mayBeLost = parts.settings().faults().contains(Fault.DISK);
    }

    /** Waits until each row and each event is there, and judges. Full disks cost events: what they cost is noted alone. */
    void run() {
        try {
            Awaitility.await().atMost(LIMIT).pollInterval(LOOK).until(this::isSettled);
        } catch (ConditionTimeoutException e) {
            // what is missing is told below
        }
        EventAudit audit = last.get();
        if (audit == null) {
            parts.violations().add(Violations.VOID, "the events were not audited: " + problem);
            return;
        }
        if (mayBeLost && !audit.lost().isEmpty()) {
            parts.pulse()
                    .note("events or rows are missing, which full disks may cost: "
                            + audit.lost().size());
        } else {
            tell("events-lost", audit.lost());
        }
        tell("events-contradict", audit.contradictions());
        tell("events-order", audit.disorders());
        tell("events-signature", parts.deployment().inbox().wrong());
    }

    private void tell(String kind, List<String> found) {
        found.stream().limit(SHOWN).forEach(what -> parts.violations().add(kind, what));
        if (found.size() > SHOWN) {
            parts.violations().add(kind, "and " + (found.size() - SHOWN) + " more");
        }
    }

    private boolean isSettled() {
        Deployment deployment = parts.deployment();
        try {
            List<FinalRow> broker = deployment.brokers.size() > 1 ? null : FinalRow.of(deployment.serving());
            Map<String, List<FinalRow>> agentsB = new LinkedHashMap<>();
            for (Map.Entry<String, Member> agent : deployment.agentsB.entrySet()) {
                agentsB.put(agent.getKey(), FinalRow.of(agent.getValue()));
            }
            EventAudit audit = new EventAudit(
                    parts.ledger(),
                    (subscription, path) -> publications.get(subscription).count(path),
                    deployment.inbox().receipts());
            audit.judge(broker, FinalRow.of(deployment.agentA), agentsB);
            last.set(audit);
            return (audit.lost().isEmpty() && audit.contradictions().isEmpty()) || (mayBeLost && nothingCame());
        } catch (IOException | CommandException e) {
            problem = String.valueOf(e.getMessage());
            return false;
        }
    }

    private boolean nothingCame() {
        long now = rows() + events();
        unchangedLooks = now == seen ? unchangedLooks + 1 : 0;
        seen = now;
        return unchangedLooks >= LAST_LOOKS;
    }

    /** Rows of the histories. */
    long rows() {
        EventAudit audit = last.get();
        return audit == null ? 0 : audit.rows();
    }

    /** Different events that came. */
    long events() {
        return parts.deployment().inbox().receipts().values().stream()
                .mapToLong(EventReceipts::events)
                .sum();
    }

    /** Deliveries of events that had come before. */
    long repeated() {
        return parts.deployment().inbox().receipts().values().stream()
                .mapToLong(EventReceipts::repeated)
                .sum();
    }
}
