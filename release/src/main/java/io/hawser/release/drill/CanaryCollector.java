package io.hawser.release.drill;

import java.io.IOException;

/**
 * Looks for every canary that is on its way, compares it, and removes it: one that appears again was delivered twice.
 *
 * <p>Thread: its own.
 */
final class CanaryCollector extends RepeatingThread {
    private final CanaryLedger ledger;
    private final FarEnd farEnd;
    private final CanaryRemover removal;

    CanaryCollector(CanaryLedger ledger, FarEnd farEnd, CanaryRemover removal) {
        super("drill-collector", farEnd.pauseMillis());
        this.ledger = ledger;
        this.farEnd = farEnd;
        this.removal = removal;
    }

    @Override
    boolean round() throws InterruptedException {
        for (CanaryLedger.PendingCanary pending : ledger.lookedFor()) {
            if (isStopping() || !look(pending)) {
                break;
            }
        }
        return true;
    }

    /** Returns whether the far end could be asked. */
    private boolean look(CanaryLedger.PendingCanary pending) throws InterruptedException {
        FarEnd.Finding finding;
        try {
            finding = farEnd.look(pending);
        } catch (IOException e) {
            return false;
        }
        switch (finding.outcome()) {
            case WAITING -> {}
            case WHOLE -> {
                ledger.arrived(pending.name(), System.nanoTime());
                removal.remove(pending.name());
            }
            case CORRUPT -> ledger.corrupt(pending.name(), finding.why());
            case LOST -> ledger.lost(pending.name(), finding.why());
        }
        return true;
    }
}
