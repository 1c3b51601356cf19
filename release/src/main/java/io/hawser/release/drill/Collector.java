package io.hawser.release.drill;

import java.io.IOException;

/**
 * Looks for every canary that is on its way, compares what it finds, and has it taken away: what comes again after that came twice.
 *
 * <p>Thread: its own.
 */
final class Collector {
    private final Ledger ledger;
    private final Shore shore;
    private final Removal removal;
    private final Thread thread = new Thread(this::run, "drill-collector");
    private volatile boolean stopping;

    Collector(Ledger ledger, Shore shore, Removal removal) {
        this.ledger = ledger;
        this.shore = shore;
        this.removal = removal;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Ends it; afterwards the shore belongs to the caller. */
    void stop() throws InterruptedException {
        stopping = true;
        thread.join();
    }

    private void run() {
        try {
            while (!stopping) {
                for (Ledger.Flight flight : ledger.lookedFor()) {
                    if (stopping || !look(flight)) {
                        break;
                    }
                }
                Thread.sleep(shore.pauseMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether the far end could be asked. */
    private boolean look(Ledger.Flight flight) throws InterruptedException {
        Shore.Finding finding;
        try {
            finding = shore.look(flight);
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
