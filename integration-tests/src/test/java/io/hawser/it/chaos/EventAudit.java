package io.hawser.it.chaos;

import io.hawser.it.ledger.Ledger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntBiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Compares what nodes told of transfers, in their histories and by webhooks, with each other, with what the publishers know and with what
 * became visible. Thread: one.
 */
final class EventAudit {
    private static final String UPLOADED = "ftp-";
    /** What a download reads is there from the beginning. */
    private static final String SEED = "seed/";

    private static final Pattern DELIVERED = Pattern.compile("(.+)\\.delivered\\.(.+)");

    private final Ledger ledger;
    private final ToIntBiFunction<String, String> publications;
    private final Map<String, EventReceipts> receipts;
    private final List<String> lost = new ArrayList<>();
    private final List<String> contradictions = new ArrayList<>();
    private final List<String> disorders = new ArrayList<>();
    /** By node and key, whether it says delivered. */
    private final Map<String, Map<String, Boolean>> outcomes = new HashMap<>();

    private long rows;

    /**
     * @param publications how often something became visible, by subscription and path
     * @param receipts by node, of those that have a webhook
     */
    EventAudit(Ledger ledger, ToIntBiFunction<String, String> publications, Map<String, EventReceipts> receipts) {
        this.ledger = ledger;
        this.publications = publications;
        this.receipts = receipts;
    }

    /** Rows and events that should be there and are not: while all is not settled they may still come. */
    List<String> lost() {
        return lost;
    }

    /** What cannot be true. */
    List<String> contradictions() {
        return contradictions;
    }

    /** Events that came before earlier ones of their node. */
    List<String> disorders() {
        return disorders;
    }

    long rows() {
        return rows;
    }

    /**
     * Judges once, at a time at which nothing is on its way.
     *
     * @param broker its rows, or null where it is not judged
     * @param agentA its rows
     * @param agentsB by subscription, their rows
     */
    void judge(@Nullable List<FinalRow> broker, List<FinalRow> agentA, Map<String, List<FinalRow>> agentsB) {
        agentsB.forEach((subscription, found) -> node("agent-" + subscription, found, path -> true));
        node("agent-a", agentA, path -> path.startsWith(UPLOADED));
        agentsB.forEach(this::againstPublications);
        upstream("agent-a", agentsB.keySet());
        if (broker != null) {
            node("broker", broker, path -> true);
            upstream("broker", agentsB.keySet());
            againstAgentA(broker);
            agentsB.forEach(this::againstBroker);
        }
        receipts.forEach(this::events);
    }

    private interface Paths {
        boolean includes(String path);
    }

    private void node(String node, List<FinalRow> found, Paths paths) {
        rows += found.size();
        Map<String, List<FinalRow>> byPath = new HashMap<>();
        Set<String> keys = new HashSet<>();
        Map<String, Boolean> byKey = outcomes.computeIfAbsent(node, any -> new HashMap<>());
        for (FinalRow row : found) {
            if (!row.key().isEmpty() && !keys.add(row.key())) {
                contradictions.add(node + " has two rows of " + row);
            }
            byKey.put(row.key(), row.isDelivered());
            if (row.isOfContent()) {
                byPath.computeIfAbsent(row.name(), any -> new ArrayList<>()).add(row);
            }
            event(node, row);
        }
        for (Ledger.Expectation expected : ledger.expectations()) {
            List<FinalRow> ofPath = byPath.remove(expected.path());
            if (paths.includes(expected.path())) {
                path(node, expected, ofPath == null ? List.of() : ofPath);
            }
        }
        byPath.forEach((name, all) -> all.stream()
                .filter(row -> row.isDelivered() && !name.startsWith(SEED))
                .forEach(row -> contradictions.add(node + " says delivered of what nobody sent: " + row)));
        sizes(node, found, paths);
    }

    private void path(String node, Ledger.Expectation expected, List<FinalRow> found) {
        long done = found.stream().filter(FinalRow::isDelivered).count();
        long failed = found.size() - done;
        String facts = expected.path() + " at " + node + ": " + done + " rows say delivered and " + failed
                + " another outcome; acknowledged " + expected.acked() + ", tried " + expected.attempts();
        if (done < expected.acked()) {
            (found.size() < expected.acked() ? lost : contradictions).add(facts);
        } else if (found.size() > expected.attempts()) {
            contradictions.add(facts);
        }
    }

    /** Each version that was acknowledged has a row with its size. */
    private void sizes(String node, List<FinalRow> found, Paths paths) {
        Set<String> seen = new HashSet<>();
        found.stream().filter(FinalRow::isDelivered).forEach(row -> seen.add(row.name() + " " + row.sizeBytes()));
        for (Ledger.Version version : ledger.acknowledged()) {
            if (paths.includes(version.path) && !seen.contains(version.path + " " + version.sizeBytes)) {
                lost.add(node + " has no row that says delivered of version " + version.number + " of " + version.path
                        + ", " + version.sizeBytes + " bytes");
            }
        }
    }

    /** The event that ended it has come to the webhook. */
    private void event(String node, FinalRow row) {
        EventReceipts got = receipts.get(node);
        if (got == null) {
            return;
        }
        String id = got.id(row.sequence());
        String prefix = row.key().isEmpty() ? "" : row.key() + ".";
        if (id.isEmpty()) {
            lost.add("the event of a row of " + node + " did not come: " + row);
        } else if (!id.startsWith(prefix) || (row.isDelivered() && !id.startsWith(prefix + row.outcome()))) {
            contradictions.add(node + ": event " + id + " ended " + row);
        }
    }

    private void againstPublications(String subscription, List<FinalRow> found) {
        Map<String, Integer> counts = new HashMap<>();
        found.stream()
                .filter(row -> row.isOfContent() && row.isDelivered())
                .forEach(row -> counts.merge(row.name(), 1, Integer::sum));
        for (Ledger.Expectation expected : ledger.expectations()) {
            int told = counts.getOrDefault(expected.path(), 0);
            int seen = publications.applyAsInt(subscription, expected.path());
            if (told != seen) {
                (told < seen ? lost : contradictions)
                        .add(expected.path() + " became visible " + seen + " times at " + subscription + ", and " + told
                                + " rows of its agent-b say delivered");
            }
        }
    }

    /** What the broker has of agent-a's uploads agent-a has, too. */
    private void againstAgentA(List<FinalRow> broker) {
        Map<String, Boolean> known = outcomes("agent-a");
        broker.stream()
                .filter(row -> row.name().startsWith(UPLOADED) && !known.containsKey(row.key()))
                .forEach(row -> lost.add("agent-a has no row of what the broker has: " + row));
    }

    private void againstBroker(String subscription, List<FinalRow> found) {
        Map<String, Boolean> known = outcomes("broker");
        found.stream()
                .filter(row -> !known.containsKey(row.key()))
                .forEach(row -> lost.add("broker has no row of what agent-" + subscription + " has: " + row));
    }

    /** A node before the far ends says delivered of exactly what each of them says that of. */
    private void upstream(String node, Set<String> subscriptions) {
        outcomes(node).forEach((key, isDelivered) -> {
            boolean byAll = subscriptions.stream().allMatch(subscription -> isDelivered(subscription, key));
            boolean isKnown = subscriptions.stream()
                    .allMatch(subscription -> outcomes("agent-" + subscription).containsKey(key));
            if (!key.isEmpty() && isDelivered && !isKnown) {
                lost.add("a far end has no row of what " + node + " says is delivered: " + key);
            } else if (!key.isEmpty() && isDelivered != byAll && isKnown) {
                contradictions.add(node + (isDelivered ? " says that " : " does not say that ") + key
                        + " is delivered; the far ends " + (byAll ? "do" : "do not all"));
            }
        });
    }

    private Map<String, Boolean> outcomes(String node) {
        return outcomes.getOrDefault(node, Map.of());
    }

    private void events(String node, EventReceipts got) {
        got.missing().forEach(what -> lost.add(node + ": " + what));
        got.contradictions().forEach(what -> contradictions.add(node + ": " + what));
        got.disorders().forEach(what -> disorders.add(node + ": " + what));
        got.all().forEach((sequence, id) -> {
            Matcher matcher = DELIVERED.matcher(id);
            if (matcher.matches() && !isDelivered(matcher.group(2), matcher.group(1))) {
                boolean hasRow = outcomes("agent-" + matcher.group(2)).containsKey(matcher.group(1));
                (hasRow ? contradictions : lost)
                        .add(node + ": event " + sequence + " says " + id + ", and that agent-b does not");
            }
        });
    }

    private boolean isDelivered(String subscription, String key) {
        return Boolean.TRUE.equals(outcomes("agent-" + subscription).get(key));
    }
}
