package io.hawser.broker.kafka;

/**
 * Waits for the end of a thread that has to finish its work, even if the waiting thread is interrupted.
 *
 * <p>Thread: any.
 */
final class UninterruptibleJoin {
    private UninterruptibleJoin() {}

    /** Waits until {@code thread} has ended; not at all if this is it. An interrupt does not shorten that, and is kept. */
    static void await(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive() && Thread.currentThread() != thread) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
