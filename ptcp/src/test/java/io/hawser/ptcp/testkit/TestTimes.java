package io.hawser.ptcp.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * How long tests wait for what must happen. {@code -Dhawser.test.patience=3} makes every limit three times as long, for an overloaded
 * machine. JUnit loads this class as an extension, so that the limit also holds for each Awaitility wait that names none.
 */
public final class TestTimes implements BeforeAllCallback {
    private static final int PATIENCE = Integer.getInteger("hawser.test.patience", 1);

    /** The limit of one wait, in seconds. */
    public static final long SECONDS = 60L * PATIENCE;

    /** The limit of one wait. */
    public static final Duration LIMIT = Duration.ofSeconds(SECONDS);

    /** The limit of one wait, in ms, for sockets. */
    public static final int MILLIS = (int) LIMIT.toMillis();

    /** Another limit, scaled alike. */
    public static Duration scaled(Duration limit) {
        return limit.multipliedBy(PATIENCE);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(LIMIT);
    }
}
