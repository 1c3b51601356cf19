package io.hawser.ops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.event.KeyValuePair;

class LogSetupTest {
    private static final String HOSTILE = "a\n2026-01-01 ERROR forged\r\u001b[2J\u009b2J\u2028\u2029\u0000\u007fü";

    private static String line(boolean debug, LoggingEvent event) {
        PatternLayout layout = new PatternLayout();
        layout.setContext(new LoggerContext());
        layout.setPattern(LogSetup.pattern(debug));
        layout.start();
        return layout.doLayout(event);
    }

    private static LoggingEvent event(@Nullable Throwable cause) {
        LoggingEvent event = new LoggingEvent();
        LoggerContext context = new LoggerContext();
        event.setLoggerContext(context);
        event.setLoggerName("io.hawser.Example");
        event.setLevel(Level.WARN);
        event.setMessage("a name was refused");
        event.setTimeStamp(0);
        event.setKeyValuePairs(List.of(new KeyValuePair("name", HOSTILE)));
        if (cause != null) {
            event.setThrowableProxy(new ThrowableProxy(cause));
        }
        return event;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatAPeerSaysStaysOnItsLineAndReachesNoTerminal(boolean debug) {
        assertThat(line(debug, event(null)).stripTrailing())
                .isEqualTo("1970-01-01T00:00:00.000Z WARN  Example a name was refused"
                        + " name=\"a?2026-01-01 ERROR forged??[2J?2J????ü\"");
    }

    @Test
    void soDoesWhatAnExceptionRepeatsOfIt() {
        String line = line(false, event(new IllegalArgumentException(HOSTILE)));

        assertThat(line.stripTrailing().chars()).noneMatch(c -> c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028);
        assertThat(line).contains("IllegalArgumentException", "forged");
    }

    /** Netty looks for one at a node's, or a command's, first connection. */
    @Test
    void aMachineWithoutANetworkIsNotWarnedOf() {
        LoggerContext context = new LoggerContext();

        LogSetup.apply(context, "send", null, false);

        assertThat(context.getLogger("io.netty.util.internal.MacAddressUtil").isWarnEnabled())
                .isFalse();
        assertThat(context.getLogger("io.netty.channel.nio.NioEventLoop").isWarnEnabled())
                .isTrue();
    }
}
