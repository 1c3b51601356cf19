package io.hawser.ops.event;

import io.hawser.core.model.Printable;
import io.hawser.core.model.TransferKey;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a line of the node's log for each transfer that has ended here; while very many end, one for all beyond {@value #MAX_LINES} of a
 * group.
 *
 * <p>Thread: {@code hawser-events}.
 */
final class EndedTransferLog {
    private static final Logger LOG = LoggerFactory.getLogger(EndedTransferLog.class);
    private static final int MAX_LINES = 20;

    private EndedTransferLog() {}

    static void write(List<Event> group) {
        if (!LOG.isInfoEnabled()) {
            return;
        }
        int lines = 0;
        int more = 0;
        for (Event event : group) {
            if (event.ends() && lines < MAX_LINES) {
                lines++;
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
