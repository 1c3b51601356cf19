package io.hawser.it.sim;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.netty.util.ResourceLeakDetector;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Until its end the stores that ship say nothing of the thousands of disks that fail under them, and Netty does not watch buffers, which
 * each schedule counts itself.
 */
final class QuietRun {
    private final Logger log = (Logger) LoggerFactory.getLogger("io.hawser");
    private final @Nullable Level level = log.getLevel();
    private final ResourceLeakDetector.Level detection = ResourceLeakDetector.getLevel();

    QuietRun() {
        log.setLevel(Level.OFF);
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    }

    void end() {
        log.setLevel(level);
        ResourceLeakDetector.setLevel(detection);
    }
}
