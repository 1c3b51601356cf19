package io.hawser.broker.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.hawser.core.access.ReloadingAccessFile;
import io.hawser.core.testkit.LogCapture;
import io.hawser.ops.audit.Audit;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeerAuthorizerTest {
    /** The network loop asks for it; a slow disk must not hold that up. */
    @Test
    void theAclFileIsReadOnAThreadOfItsOwn(@TempDir Path directory) throws Exception {
        Path path = Files.writeString(directory.resolve("acl"), "client all plans\n");
        PeerAuthorizer authorizer =
                new PeerAuthorizer(null, ReloadingAccessFile.open(path), NodeBindings.NONE, Audit.NONE);
        try (LogCapture log = LogCapture.of(ReloadingAccessFile.class, Level.INFO)) {
            Files.writeString(path, "client all plans other\n");
            await().pollInSameThread().until(authorizer::refresh);
            await().until(() -> !log.events().isEmpty()); // the line comes after the change
            log.assertWrittenByAnotherThread();
        }
        assertThat(authorizer.refresh()).isFalse();
    }
}
