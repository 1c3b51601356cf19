package io.hawser.release.drill;

import java.io.IOException;

/**
 * Looks for every canary that is on its way, compares it, and removes it: one that appears again was delivered twice.
 *
 * <p>Thread: its own.
 */
final class CanaryVerifier extends RepeatingThread {
    private final Ledger ledger;
    private final FarEnd farEnd;
    private final CanaryRemover removal;

    CanaryVerifier(Ledger ledger, FarEnd farEnd, CanaryRemover removal) {
        super("drill-collector", farEnd.pauseMillis());
        this.ledger = ledger;
        this.farEnd = farEnd;
        this.removal = removal;
    }

    @Override
    boolean round() throws InterruptedException {
        for (Ledger.Flight flight : ledger.lookedFor()) {
            if (isStopping() || !look(flight)) {
                break;
            }
        }
        return true;
    }

    /** Returns whether the far end could be asked. */
    private boolean look(Ledger.Flight flight) throws InterruptedException {
        FarEnd.Finding finding;
        try {
            finding = farEnd.look(flight);
        } catch (IOException e) {
            return false;
        }
        switch (finding.outcome()) {
            case WAITING -> {}
            case WHOLE -> {
                ledger.arrived(flight.name(), System.nanoTime());
                removal.remove(flight.name());
            }
            case CORRUPT -> ledger.corrupt(flight.name(), finding.why());
            case LOST -> ledger.lost(flight.name(), finding.why());
        }
        return true;
    }
}
