package io.hawser.store.log;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;

/**
 * The damaged places that were found since a log was opened. Each is logged and counts once, also if it is found again; of very many
 * only the first are kept.
 *
 * <p>Thread: any.
 */
public final class LogDamages {
    private static final int MAX = 1000;

    private final Logger logger;
    private final String message;
    private final List<LogDamage> found = new CopyOnWriteArrayList<>();

    /**
     * @param logger the log's own
     * @param message what is said of each
     */
    public LogDamages(Logger logger, String message) {
        this.logger = logger;
        this.message = message;
    }

    public synchronized void add(LogDamage damage) {
        if (found.stream().anyMatch(known -> known.position().equals(damage.position()))) {
            return;
        }
        logger.atError()
                .addKeyValue("position", damage.position())
                .addKeyValue("lengthBytes", damage.lengthBytes())
                .addKeyValue("firstSequence", damage.firstSequence())
                .addKeyValue("lastSequence", damage.lastSequence())
                .log(message);
        if (found.size() < MAX) {
            found.add(damage);
        }
    }

    /**
     * A reader could not read the record at {@code position}.
     *
     * @param lengthBytes how far it reaches, as far as it is known
     */
    public void unreadable(LogPosition position, long lengthBytes) {
        add(new LogDamage(position, lengthBytes, 0, 0));
    }

    /** Those that are kept. */
    public List<LogDamage> all() {
        return List.copyOf(found);
    }
}
