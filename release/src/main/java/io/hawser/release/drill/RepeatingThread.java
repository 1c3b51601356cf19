package io.hawser.release.drill;

/**
 * Does one thing again and again on a thread of its own, with a pause after each, until it is stopped.
 *
 * <p>Thread: any; {@link #round} its own.
 */
abstract class RepeatingThread {
    private final Thread thread;
    private final long pauseMillis;
    private volatile boolean stopping;

    RepeatingThread(String name, long pauseMillis) {
        this.pauseMillis = pauseMillis;
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    /** Does it once. Returns whether it is to be done again. */
    abstract boolean round() throws InterruptedException;

    void start() {
        thread.start();
    }

    /** Lets it finish what it is at. */
    void stop() {
        stopping = true;
    }

    /** The same; returns when it has. */
    void stopAndWait() throws InterruptedException {
        stop();
        thread.join();
    }

    boolean isStopping() {
        return stopping;
    }

    boolean isDone() {
        return !thread.isAlive();
    }

    private void run() {
        try {
            while (!stopping && round()) {
                Thread.sleep(pauseMillis);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
