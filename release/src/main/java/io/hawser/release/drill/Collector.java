package io.hawser.release.drill;

import java.io.IOException;

/**
 * Looks for every canary that is on its way, compares it, and removes it: one that appears again was delivered twice.
 *
 * <p>Thread: its own.
 */
final class Collector {
    private final Ledger ledger;
    private final FarEnd farEnd;
    private final Removal removal;
    private final Thread thread = new Thread(this::run, "drill-collector");
    private volatile boolean stopping;

    Collector(Ledger ledger, FarEnd farEnd, Removal removal) {
        this.ledger = ledger;
        this.farEnd = farEnd;
        this.removal = removal;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Ends the thread; afterwards the caller may use the far end. */
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
                Thread.sleep(farEnd.pauseMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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
