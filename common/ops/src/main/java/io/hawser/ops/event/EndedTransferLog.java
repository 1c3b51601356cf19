package io.hawser.ops.event;

import io.hawser.core.model.Printable;
import io.hawser.core.model.TransferKey;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a line of the node's log for each transfer that has ended here. After {@value #MAX_LINES} at once only {@value #LINES_PER_SECOND}
 * a second have their own; the others are counted.
 *
 * <p>Thread: {@code hawser-events}.
 */
final class EndedTransferLog {
    private static final Logger LOG = LoggerFactory.getLogger(EndedTransferLog.class);
    static final int MAX_LINES = 1000;
    static final int LINES_PER_SECOND = 200;

    private final LongSupplier steadyMillis;
    /** Lines that may be written, in thousandths. */
    private long milliLines = MAX_LINES * 1000L;

    private long lastMillis;

    /** @param steadyMillis a clock that is never set */
    EndedTransferLog(LongSupplier steadyMillis) {
        this.steadyMillis = steadyMillis;
        lastMillis = steadyMillis.getAsLong();
    }

    void write(List<Event> group) {
        if (!LOG.isInfoEnabled()) {
            return;
        }
        long now = steadyMillis.getAsLong();
        milliLines = Math.min(MAX_LINES * 1000L, milliLines + (now - lastMillis) * LINES_PER_SECOND);
        lastMillis = now;
        int more = 0;
        for (Event event : group) {
            if (event.ends() && milliLines >= 1000) {
                milliLines -= 1000;
                line(event);
            } else if (event.ends()) {
                more++;
            }
        }
        if (more > 0) {
            LOG.atInfo().addKeyValue("more", more).log("More transfers have ended; 'hawser history' shows them");
        }
    }

    private static void line(Event event) {
        EventFacts facts = event.facts();
        TransferKey key = event.key();
        LOG.atInfo()
                .addKeyValue("outcome", event.type().word())
                .addKeyValue("topic", facts.topic())
                .addKeyValue("name", Printable.shortly(facts.name()))
                .addKeyValue("kind", facts.kind())
                .addKeyValue("bytes", facts.sizeBytes())
                .addKeyValue("millis", event.epochMillis() - facts.startedMillis())
                .addKeyValue("subscription", event.subscription())
                .addKeyValue("transfer", key == null ? "-" : key)
                .addKeyValue("reason", Printable.shortly(facts.reason()))
                .log("A transfer has ended");
    }
}
