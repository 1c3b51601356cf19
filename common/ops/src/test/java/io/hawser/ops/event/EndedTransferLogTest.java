package io.hawser.ops.event;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.hawser.core.testkit.LogCapture;
import io.hawser.store.event.Cause;
import io.hawser.store.event.EventType;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EndedTransferLogTest {
    private static final int GROUP = 100;

    private final AtomicLong millis = new AtomicLong(12_345);
    private final EndedTransferLog log = new EndedTransferLog(millis::get);

    private static List<Event> group(boolean ends) {
        return IntStream.range(0, GROUP)
                .mapToObj(i -> new Event(
                        i, EventType.DELIVERED, 5, EventRig.key(i), "", "b", ends, Cause.START, EventFacts.of("")))
                .toList();
    }

    private List<String> linesOf(int groups, boolean ends) {
        try (LogCapture written = LogCapture.of(EndedTransferLog.class, Level.INFO)) {
            for (int i = 0; i < groups; i++) {
                log.write(group(ends));
            }
            return written.events().stream().map(ILoggingEvent::getMessage).toList();
        }
    }

    @Test
    void eachEndHasItsLine() {
        assertThat(linesOf(EndedTransferLog.MAX_LINES / GROUP, true))
                .hasSize(EndedTransferLog.MAX_LINES)
                .containsOnly("A transfer has ended");
        assertThat(linesOf(1, false)).isEmpty();
    }

    @Test
    void whatIsBeyondTheRateIsCounted() {
        linesOf(EndedTransferLog.MAX_LINES / GROUP, true);
        assertThat(linesOf(1, true)).containsExactly("More transfers have ended; 'hawser history' shows them");

        millis.addAndGet(GROUP * 1000L / EndedTransferLog.LINES_PER_SECOND);

        assertThat(linesOf(1, true)).hasSize(GROUP).containsOnly("A transfer has ended");
        assertThat(linesOf(1, true)).hasSize(1);
    }
}
