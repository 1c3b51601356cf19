package io.hawser.release.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.release.process.ProcessChain.Part;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CanaryLedgerTest {
    private final DrillViolations violations = new DrillViolations();
    private final FaultLog faults = new FaultLog(0);
    private final CanaryLedger ledger = new CanaryLedger(faults, violations, 0);

    private static long millis(long count) {
        return TimeUnit.MILLISECONDS.toNanos(count);
    }

    private static Canary canary(String name, CanaryRoute route) {
        return new Canary(name, 100, 1, route);
    }

    private void begun(String name, CanaryRoute route, long atMillis) {
        ledger.begun(canary(name, route), millis(atMillis));
    }

    private DrillReport.Canaries counts() {
        return ledger.canaries(0L);
    }

    @Test
    void whatWasPromisedAndArrivesIsDelivered() {
        begun("a", CanaryRoute.FTP, 10);
        assertThat(ledger.lookedFor()).as("nobody has promised anything yet").isEmpty();
        ledger.accepted("a", "id");
        assertThat(ledger.lookedFor()).hasSize(1);
        ledger.arrived("a", millis(40));

        assertThat(counts()).isEqualTo(new DrillReport.Canaries(1, 100, 1, 0, 0L, 0, 0, 0, 0, 0, 30, 30, 30));
        assertThat(violations.isEmpty()).isTrue();
        assertThat(ledger.awaited()).isZero();
    }

    @Test
    void whatWasPromisedAndDoesNotArriveIsLost() {
        begun("a", CanaryRoute.FTP, 0);
        ledger.accepted("a", "");
        begun("b", CanaryRoute.FTP, 0);
        ledger.unanswered("b");

        ledger.giveUp("was not there", millis(100));

        assertThat(counts().lost()).as("only what was promised can be lost").isEqualTo(1);
        assertThat(violations.all()).containsExactly("a was not there");
        assertThat(ledger.lostNames()).containsExactly("a");
        assertThat(ledger.names()).containsExactly("b");
    }

    @Test
    void whatHadNoReplyMayArriveButOnlyWhole() {
        begun("a", CanaryRoute.FTP, 0);
        ledger.unanswered("a");
        ledger.arrived("a", millis(5));
        begun("b", CanaryRoute.FTP, 0);
        ledger.unanswered("b");
        ledger.corrupt("b", "differs");

        assertThat(counts().unanswered()).isEqualTo(2);
        assertThat(counts().unansweredArrived()).isEqualTo(1);
        assertThat(counts().delivered()).isZero();
        assertThat(counts().corrupt()).isEqualTo(1);
        assertThat(violations.all()).singleElement().asString().startsWith("b differs");
    }

    @Test
    void aRefusalIsAComplaintAndATryThatDidNotBeginIsNone() {
        begun("a", CanaryRoute.FTP, 0);
        ledger.notBegun("a");
        begun("b", CanaryRoute.FTP, 0);
        ledger.refused("b", "552 quota");

        assertThat(counts().refused()).isEqualTo(1);
        assertThat(counts().sent()).isZero();
        assertThat(violations.all()).containsExactly("b was refused: 552 quota");
    }

    @Test
    void whatIsToldTwiceCountsOnce() {
        begun("a", CanaryRoute.API, 0);
        ledger.accepted("a", "");
        ledger.accepted("a", "");
        ledger.lost("a", "failed");
        ledger.lost("a", "failed");
        ledger.arrived("a", millis(9));

        assertThat(counts().sent()).isEqualTo(1);
        assertThat(counts().lost()).isEqualTo(1);
        assertThat(counts().delivered()).isZero();
    }

    @Test
    void theStallIsTheLongestTimeWithoutAnArrival() {
        for (int at : new int[] {20, 50, 400, 410}) {
            begun("c" + at, CanaryRoute.FTP, at - 10);
            ledger.accepted("c" + at, "");
            ledger.arrived("c" + at, millis(at));
        }
        assertThat(ledger.stall()).isEqualTo(new DrillReport.Stall(350, 50));

        begun("never", CanaryRoute.FTP, 410);
        ledger.accepted("never", "");
        ledger.giveUp("was not there", millis(1410));

        assertThat(ledger.stall()).isEqualTo(new DrillReport.Stall(1000, 410));
    }

    @Test
    void aNodeIsOfUseAgainWhenACanaryArrivesThatBeganAfterItsFault() {
        begun("before", CanaryRoute.FTP, 0);
        ledger.accepted("before", "");
        faults.begin(new PlannedFault(FaultKind.KILL, Part.AGENT_A), millis(100));
        faults.back(millis(150));
        faults.ready(40);
        ledger.arrived("before", millis(200));
        begun("api", CanaryRoute.API, 210);
        ledger.accepted("api", "");
        ledger.arrived("api", millis(220));
        assertThat(faults.isOfUse()).as("neither was proof of agent-a").isFalse();

        begun("after", CanaryRoute.FTP, 230);
        ledger.accepted("after", "");
        ledger.arrived("after", millis(300));

        assertThat(faults.isOfUse()).isTrue();
        assertThat(faults.lines())
                .containsExactly(new DrillReport.FaultLine(1, 100, "kill -9", "agent-a", 40L, 150L, null, null));
    }
}
