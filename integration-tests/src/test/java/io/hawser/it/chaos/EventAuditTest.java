package io.hawser.it.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.it.ledger.Ledger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The audit sees each way in which events and histories can be wrong. */
class EventAuditTest {
    private static final String PATH = "ftp-0/u-1";
    private static final String KEY = "0a-0b";
    private static final byte[] CONTENT = "content".getBytes(StandardCharsets.UTF_8);

    private final Ledger ledger = new Ledger();
    private final Map<String, Integer> visible = new HashMap<>();
    private final Map<String, List<FinalRow>> rows = new LinkedHashMap<>();
    private final Map<String, List<String>> events = new LinkedHashMap<>();

    /** One upload, delivered at both far ends, and all tell of it. */
    @BeforeEach
    void allIsRight() {
        Ledger.Version version = ledger.version(PATH, CONTENT);
        ledger.attempt(version);
        ledger.acked(version);
        visible.putAll(Map.of("b1", 1, "b2", 1));
        row("agent-a", 4, "delivered");
        row("broker", 3, "delivered");
        row("agent-b1", 2, "delivered");
        row("agent-b2", 2, "delivered");
        event("agent-a", "accepted", "brokered", "delivered.b1", "delivered.b2");
        event("broker", "brokered", "delivered.b1", "delivered.b2");
        event("agent-b1", "landed.17", "delivered.b1");
        event("agent-b2", "landed.18", "delivered.b2");
    }

    private void row(String node, long sequence, String outcome) {
        rows.computeIfAbsent(node, any -> new ArrayList<>())
                .add(new FinalRow(sequence, KEY, PATH, "file", CONTENT.length, outcome));
    }

    private void event(String node, String... what) {
        events.computeIfAbsent(node, any -> new ArrayList<>())
                .addAll(List.of(what).stream().map(word -> KEY + "." + word).toList());
    }

    private EventAudit audit() {
        Map<String, EventReceipts> receipts = new LinkedHashMap<>();
        events.forEach((node, ids) -> {
            EventReceipts got = new EventReceipts();
            for (int i = 0; i < ids.size(); i++) {
                if (!ids.get(i).isEmpty()) {
                    got.take(node, i + 1L, ids.get(i));
                }
            }
            receipts.put(node, got);
        });
        return audit(receipts);
    }

    private EventAudit audit(Map<String, EventReceipts> receipts) {
        EventAudit audit = new EventAudit(
                ledger, (subscription, path) -> path.equals(PATH) ? visible.get(subscription) : 0, receipts);
        audit.judge(
                rows.get("broker"),
                rows.get("agent-a"),
                Map.of("b1", rows.get("agent-b1"), "b2", rows.get("agent-b2")));
        return audit;
    }

    private static void assertLost(EventAudit audit, String what) {
        assertThat(audit.lost()).anyMatch(line -> line.contains(what));
    }

    private static void assertContradiction(EventAudit audit, String what) {
        assertThat(audit.contradictions()).anyMatch(line -> line.contains(what));
    }

    @Test
    void nothingIsFoundWhereAllIsRight() {
        EventAudit audit = audit();
        assertThat(audit.lost()).isEmpty();
        assertThat(audit.contradictions()).isEmpty();
        assertThat(audit.disorders()).isEmpty();
        assertThat(audit.rows()).isEqualTo(4);
    }

    @Test
    void anEventThatIsDroppedIsMissed() {
        events.get("agent-a").set(1, "");
        assertLost(audit(), "agent-a: events 2 to 2 never came");
    }

    @Test
    void theLastEventIsMissedByItsRow() {
        events.get("agent-b2").set(1, "");
        assertLost(audit(), "the event of a row of agent-b2 did not come");
    }

    @Test
    void anOutcomeThatIsFalseContradictsTheLedger() {
        for (String node : List.copyOf(rows.keySet())) {
            List<FinalRow> right = rows.remove(node);
            row(node, right.get(0).sequence(), "failed");
            assertContradiction(audit(), PATH + " at " + node + ": 0 rows say delivered");
            rows.put(node, right);
        }
    }

    @Test
    void anEventOfAnotherEndContradictsTheRow() {
        events.get("broker").set(2, KEY + ".expired.b2");
        assertContradiction(audit(), "ended FinalRow");
    }

    @Test
    void aRowThatIsGoneIsMissed() {
        for (String node : List.copyOf(rows.keySet())) {
            List<FinalRow> right = rows.put(node, List.of());
            assertLost(audit(), node);
            rows.put(node, right == null ? List.of() : right);
        }
    }

    @Test
    void aSecondRowOfATransferIsOneTooMany() {
        row("agent-a", 4, "delivered");
        assertContradiction(audit(), "agent-a has two rows");
    }

    @Test
    void aRowOfAnotherSizeIsNotOfTheVersion() {
        FinalRow right = rows.get("agent-a").get(0);
        rows.put("agent-a", List.of(new FinalRow(4, KEY, PATH, "file", right.sizeBytes() + 1, "delivered")));
        assertLost(audit(), "agent-a has no row that says delivered of version 1");
    }

    @Test
    void deliveredOfWhatDidNotBecomeVisibleIsAContradiction() {
        visible.put("b1", 0);
        assertContradiction(audit(), "became visible 0 times at b1, and 1 rows");
    }

    @Test
    void whatBecameVisibleAndIsNotToldIsMissed() {
        visible.put("b1", 2);
        assertLost(audit(), "became visible 2 times at b1, and 1 rows");
    }

    @Test
    void anEventThatSaysDeliveredMustBeTrue() {
        rows.put("agent-b2", List.of(new FinalRow(2, KEY, PATH, "file", CONTENT.length, "failed")));
        assertContradiction(audit(), "says " + KEY + ".delivered.b2, and that agent-b does not");
        rows.put("agent-b2", List.of());
        assertThat(audit().contradictions()).isEmpty();
        assertLost(audit(), "says " + KEY + ".delivered.b2, and that agent-b does not");
    }

    @Test
    void deliveredAtOneFarEndAloneIsNotDelivered() {
        for (String node : List.of("agent-b1", "agent-b2")) {
            List<FinalRow> right = rows.get(node);
            rows.put(node, List.of(new FinalRow(2, KEY, PATH, "set time", 0, "failed")));
            assertContradiction(audit(), "broker says that " + KEY + " is delivered; the far ends do not all");
            rows.put(node, right == null ? List.of() : right);
        }
        rows.put("agent-a", List.of(new FinalRow(4, KEY, PATH, "set time", 0, "failed")));
        assertContradiction(audit(), "agent-a does not say that " + KEY + " is delivered; the far ends do");
    }

    @Test
    void whatNobodySentIsNotDelivered() {
        rows.get("agent-a").add(new FinalRow(4, "0c-0d", "ftp-0/cut-1", "file", 7, "delivered"));
        assertContradiction(audit(), "what nobody sent");
    }

    @Test
    void repetitionsAreCountedAndOrderIsThatOfTheFirstArrivals() {
        EventReceipts got = new EventReceipts();
        for (long sequence : new long[] {1, 2, 1, 2, 3, 5, 4}) {
            got.take("n/log", sequence, "e" + sequence);
        }
        assertThat(got.events()).isEqualTo(5);
        assertThat(got.repeated()).isEqualTo(2);
        assertThat(got.missing()).isEmpty();
        assertThat(got.disorders()).containsExactly("event 4 (e4) came after event 5");
    }

    @Test
    void aNumberStandsForOneEventOfOneLog() {
        EventReceipts got = new EventReceipts();
        got.take("n/log", 1, "a");
        got.take("n/log", 1, "b");
        got.take("n/other", 2, "c");
        assertThat(got.contradictions())
                .containsExactly(
                        "event 1 was a and is b", "events come of n/other after n/log: the event log began anew");
        EventAudit audit = audit(Map.of("agent-a", got));
        assertThat(audit.contradictions()).anyMatch(line -> line.equals("agent-a: event 1 was a and is b"));
    }
}
