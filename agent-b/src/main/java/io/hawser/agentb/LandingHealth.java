package io.hawser.agentb;

import io.hawser.ops.observe.HealthWarning;
import io.hawser.ops.observe.StallCause;
import io.hawser.ops.observe.StalledTransfers;
import io.hawser.ops.observe.WarningCode;
import io.hawser.store.landing.LandingState;
import io.hawser.store.landing.LandingStatus;
import io.hawser.store.landing.LandingTransferStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Warnings for {@code /health} about the landing area.
 *
 * @param status of the landing area; empty while the node stops
 * @param transfers those that are in it
 */
record LandingHealth(Optional<LandingStatus> status, List<LandingTransferStatus> transfers) {
    /** Empty if there is nothing to warn of. */
    List<HealthWarning> warnings() {
        List<HealthWarning> found = new ArrayList<>();
        status.ifPresent(landing -> {
            found.add(WarningCode.DEAD_LETTERS.says(deadLetters(landing.parked())));
            found.add(WarningCode.LANDING_SPACE.says(landing.spaceProblem()));
            found.add(WarningCode.LANDING_JOURNAL.says(journalDamage(landing.journalDamages())));
            found.add(WarningCode.LANDING_DAMAGED.says(contentDamage(landing.damaged())));
        });
        found.removeIf(each -> each.sentence().isEmpty());
        return found;
    }

    private static String deadLetters(int count) {
        return count == 0
                ? ""
                : count + (count == 1 ? " transfer" : " transfers") + " could not be delivered; see 'hawser dead list'";
    }

    private static String journalDamage(long places) {
        return places == 0
                ? ""
                : "the disk has damaged the landing area's journal (" + places
                        + " places, see the log): what was recorded there is not known, and may be delivered again or not at all."
                        + " Check the disk, and compare what arrived";
    }

    private static String contentDamage(long times) {
        return times == 0
                ? ""
                : "the disk changed what had been received (" + times
                        + " times since the start); see the log, and check the disk";
    }

    /**
     * The transfers that have not moved for {@code warnAfter}. Dead letters have a warning of their own; a transfer that waits in line while its
     * target takes others has no problem.
     */
    StalledTransfers stalled(Duration warnAfter) {
        StalledTransfers stalled = new StalledTransfers(warnAfter);
        transfers.forEach(transfer -> add(transfer, stalled));
        return stalled;
    }

    private static void add(LandingTransferStatus transfer, StalledTransfers stalled) {
        if (!transfer.problem().isEmpty() && transfer.state() != LandingState.PARKED) {
            StallCause cause = transfer.state() == LandingState.VERIFIED ? StallCause.TARGET : StallCause.REFUSED;
            stalled.add(cause, transfer.name(), transfer.problem(), transfer.idleMillis());
        }
    }
}
