package io.hawser.release.drill;

import java.io.IOException;
import java.time.Duration;

/**
 * Sends canaries one after the other until it is stopped, or so many.
 *
 * <p>Thread: its own.
 */
abstract class Sender {
    private final Thread thread;
    private final long gapMillis;
    private final int atMost;
    private volatile boolean stopping;

    final Ledger ledger;
    final CanaryNames names;

    /** @param atMost 0 for no end */
    Sender(String name, Ledger ledger, CanaryNames names, Duration gap, int atMost) {
        this.ledger = ledger;
        this.names = names;
        this.atMost = atMost;
        gapMillis = gap.toMillis();
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    /** Sends one, or tries to. Returns whether it was handed over. */
    abstract boolean once() throws IOException, InterruptedException;

    void start() {
        thread.start();
    }

    /** Lets it finish what it is at. */
    void stop() {
        stopping = true;
    }

    boolean isDone() {
        return !thread.isAlive();
    }

    private void run() {
        try {
            for (int handed = 0; !stopping && (atMost == 0 || handed < atMost); ) {
                handed += once() ? 1 : 0;
                Thread.sleep(gapMillis);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            failed(e);
        }
    }

    /** It cannot go on. */
    abstract void failed(IOException cause);
}
