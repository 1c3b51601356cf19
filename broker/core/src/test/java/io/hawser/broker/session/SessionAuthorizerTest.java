package io.hawser.broker.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.hawser.core.access.AccessFile;
import io.hawser.ops.audit.Audit;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class SessionAuthorizerTest {
    /** The network loop asks for it; a slow disk must not hold that up. */
    @Test
    void theAclFileIsReadOnAThreadOfItsOwn(@TempDir Path directory) throws Exception {
        Path path = Files.writeString(directory.resolve("acl"), "client all plans\n");
        SessionAuthorizer gate = new SessionAuthorizer(null, AccessFile.open(path), NodeBindings.NONE, Audit.NONE);
        Logger logger = (Logger) LoggerFactory.getLogger(AccessFile.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(log);
        try {
            Files.writeString(path, "client all plans other\n");
            await().pollInSameThread().until(gate::refresh);
            await().until(() -> !log.list.isEmpty()); // the line comes after the change
        } finally {
            logger.detachAppender(log);
            logger.setLevel(null);
        }
        assertThat(log.list)
                .extracting(ILoggingEvent::getThreadName)
                .isNotEmpty()
                .doesNotContain(Thread.currentThread().getName());
        assertThat(gate.refresh()).isFalse();
    }
}
