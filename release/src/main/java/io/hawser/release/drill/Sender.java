package io.hawser.release.drill;

import io.hawser.ops.cli.Errors;
import java.io.IOException;
import java.time.Duration;

/**
 * Sends canaries one after the other until it is stopped, or so many.
 *
 * <p>Thread: its own.
 */
abstract class Sender extends RepeatingThread implements AutoCloseable {
    /**
     * What all senders of a drill share.
     *
     * @param atMost how many canaries each sends; 0 for no end
     */
    record Terms(CanaryLedger ledger, CanaryGenerator names, DrillViolations violations, Duration gap, int atMost) {}

    final Terms terms;
    private int handed;

    Sender(String name, Terms terms) {
        super("drill-" + name, terms.gap().toMillis());
        this.terms = terms;
    }

    /** Sends one, or tries to. Returns whether it was handed over. */
    abstract boolean once() throws IOException, InterruptedException;

    /** Why nothing could be handed over at the last try; empty if it could. */
    String lastProblem() {
        return "";
    }

    @Override
    boolean round() throws InterruptedException {
        try {
            handed += once() ? 1 : 0;
        } catch (IOException e) {
            terms.violations().add(this + " ended: " + Errors.sentence(e));
            return false;
        }
        return terms.atMost() == 0 || handed < terms.atMost();
    }

    @Override
    public void close() {}
}
