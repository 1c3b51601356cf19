package io.hawser.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Collects what one logger, and those below it, write until it is closed. Thread: the test's. */
public final class LogCapture implements AutoCloseable {
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
    private final Logger logger;
    private final @Nullable Level previous;

    private LogCapture(String name, Level level) {
        logger = (Logger) LoggerFactory.getLogger(name);
        previous = logger.getLevel();
        logger.setLevel(level);
        appender.start();
        logger.addAppender(appender);
    }

    /** Starts to collect what {@code logger} writes at {@code level} and above. */
    public static LogCapture of(String logger, Level level) {
        return new LogCapture(logger, level);
    }

    /** The same for the logger of a class. */
    public static LogCapture of(Class<?> logger, Level level) {
        return of(logger.getName(), level);
    }

    /** What was written so far. */
    public List<ILoggingEvent> events() {
        return appender.list;
    }

    /** Asserts that something was written, and none of it by the calling thread. */
    public void assertWrittenByAnotherThread() {
        assertThat(events())
                .extracting(ILoggingEvent::getThreadName)
                .isNotEmpty()
                .doesNotContain(Thread.currentThread().getName());
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setLevel(previous);
    }
}
