package io.hawser.ops.event;

import io.hawser.store.event.EventType;
import io.hawser.store.storage.OutOfSpaceException;
import io.hawser.store.storage.RemoteStoreException;
import io.hawser.store.storage.StorageException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers the events of a node to one receiver: reads the log behind the receiver's cursor, tries again what failed, at longer and longer
 * intervals, and gives the receiver up when nothing has worked for a set time, or when it wants no more. Then it is a warning, and the next
 * start tries again.
 *
 * <p>Thread: a thread of its own; {@link #problem} any.
 */
final class EventDelivery implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventDelivery.class);
    private static final int READ_AT_ONCE = 100;
    private static final Duration FIRST_WAIT = Duration.ofMillis(500);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);
    private static final long CLOSE_MILLIS = 5000;
    private static final long AWAY_MILLIS = 500;

    private final EventLog log;
    private final EventCursor cursor;
    private final EventReceiver receiver;
    private final Duration giveUp;
    private final Semaphore news = new Semaphore(0);
    private final Thread thread;
    private volatile boolean closed;
    private volatile boolean dead;
    private volatile long failingSinceNanos;
    private volatile boolean failing;
    /** Why the journal cannot be read now, or the place in it not be written; or empty. */
    private volatile String away = "";

    /** @param giveUp for how long nothing may work before the receiver is given up */
    EventDelivery(EventLog log, EventCursor cursor, EventReceiver receiver, Duration giveUp) {
        this.log = log;
        this.cursor = cursor;
        this.receiver = receiver;
        this.giveUp = giveUp;
        this.thread = new Thread(this::run, "hawser-events-to-" + receiver.name());
        thread.setDaemon(true);
    }

    void start() {
        log.listen(news::release);
        thread.start();
    }

    private void run() {
        try {
            while (log.id().isEmpty() && !closed) { // until the node's store is open
                news.acquire();
            }
            deliverAll(whenThere(cursor::read));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the node stops
        } catch (StorageException | RuntimeException e) {
            if (closed) {
                return; // the interrupt met a write
            }
            dead = true;
            LOG.atError()
                    .addKeyValue("receiver", receiver.name())
                    .setCause(e)
                    .log("No more events are delivered until the next start");
        }
    }

    private void deliverAll(long from) throws InterruptedException, StorageException {
        long done = from;
        while (!closed && !dead) {
            news.drainPermits();
            long next = done + 1;
            List<Event> events = whenThere(() -> log.read(next, READ_AT_ONCE));
            if (events.isEmpty()) {
                news.acquire();
            } else {
                tellOfGap(done, events.get(0).sequence());
                done = deliver(done, events);
            }
        }
    }

    private void tellOfGap(long done, long next) {
        long missing = next - done - 1;
        if (missing > 0) {
            boolean areDeleted = next <= log.firstSequence();
            String what = missing + (missing == 1 ? " event was " : " events were ")
                    + (areDeleted ? "deleted before " : "lost before ") + receiver.name() + " had "
                    + (missing == 1 ? "it: " : "them: ")
                    + (areDeleted
                            ? "too old or too many (--keep-history, --events-quota)"
                            : "the event log is damaged. Stop the node and run 'hawser fsck' on its data directory");
            LOG.atWarn().addKeyValue("receiver", receiver.name()).log(what);
            log.note(EventType.EVENTS_EXPIRED, receiver.name(), false, EventFacts.of(what));
        }
    }

    private long deliver(long done, List<Event> events) throws InterruptedException, StorageException {
        List<Event> wanted = events.stream().filter(receiver::wants).toList();
        int count = wanted.isEmpty() ? 0 : receiver.deliver(wanted);
        long reached = count == wanted.size()
                ? events.get(events.size() - 1).sequence()
                : wanted.get(count).sequence() - 1;
        long place = Math.max(done, reached);
        whenThere(() -> {
            cursor.write(place);
            return place;
        });
        if (count == wanted.size()) {
            failing = false;
        } else if (!closed) {
            failed(count > 0);
        }
        return place;
    }

    /** A step that needs the journal of the events. */
    private interface Step<T> {
        T take() throws StorageException;
    }

    /** Tries again while a journal that is not on this machine is away or was cut while it was read, and while the disk is full. */
    private <T> T whenThere(Step<T> step) throws StorageException, InterruptedException {
        while (true) {
            try {
                T taken = step.take();
                away = "";
                return taken;
            } catch (RemoteStoreException | OutOfSpaceException e) {
                away = String.valueOf(e.getMessage());
                Thread.sleep(AWAY_MILLIS); // its own thread, which close interrupts
            }
        }
    }

    private void failed(boolean someWorked) throws InterruptedException {
        long now = System.nanoTime();
        if (!failing || someWorked) {
            failing = true;
            failingSinceNanos = now;
        }
        long sinceNanos = now - failingSinceNanos;
        if (receiver.isGone() || sinceNanos > giveUp.toNanos()) {
            dead = true;
            LOG.atError()
                    .addKeyValue("receiver", receiver.name())
                    .addKeyValue("problem", receiver.problem().orElse(""))
                    .log("A receiver of events is given up until the next start; its events are kept");
            return;
        }
        Thread.sleep(waitMillis(TimeUnit.NANOSECONDS.toMillis(sinceNanos), receiver.pause())); // the same
    }

    /**
     * How long to wait after a failure.
     *
     * @param failingMillis for how long nothing has worked
     * @param asked how long the receiver asks for
     */
    static long waitMillis(long failingMillis, Duration asked) {
        // As long as it has failed already, so that it is not asked much oftener than need be.
        long wait = Math.min(LONGEST_WAIT.toMillis(), FIRST_WAIT.toMillis() + failingMillis);
        long jittered = wait / 2 + ThreadLocalRandom.current().nextLong(wait / 2 + 1);
        return Math.max(jittered, Math.min(LONGEST_WAIT.toMillis(), asked.toMillis()));
    }

    /** What an operator should know of it. */
    Optional<String> problem() {
        Optional<String> why = receiver.problem();
        if (dead) {
            return Optional.of("events are no longer delivered to " + receiver.name() + " (" + why.orElse("see the log")
                    + "); mend it and restart the node: it gets all that is kept");
        }
        if (!away.isEmpty()) {
            return Optional.of("events wait for " + receiver.name() + ": " + away);
        }
        return failing ? why.map(text -> "events wait for " + receiver.name() + ": " + text) : why;
    }

    /** Blocks shortly. What is being delivered may be delivered again by the next start. */
    @Override
    public void close() {
        closed = true;
        receiver.close();
        thread.interrupt();
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
