package io.hawser.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No broker listens. */
class ClosedClientTest {
    @TempDir
    private Path directory;

    private HawserClient client;
    private SentTransfer transfer;

    @BeforeEach
    void close() throws IOException {
        client = HawserClient.connect(ClientOptions.of("127.0.0.1:1").withState(directory.resolve("state")));
        transfer = client.send("site-b", "f", new byte[1]);
        client.close();
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IOException.class).hasMessage("the client is closed");
    }

    @Test
    void aClosedClientThrowsAnIoException() {
        assertRefused(() -> client.send("site-b", "g", new byte[1]));
        assertRefused(() -> client.request("site-b", "g", new byte[1], Duration.ofSeconds(1)));
        assertRefused(() -> client.receiveInto("site-b", "site-b", directory.resolve("into")));
        assertRefused(() -> client.pending());
        assertRefused(() -> client.find(transfer.id()));
        assertRefused(transfer::problem);
    }

    @Test
    void whatAClosedClientCannotCancelFails() {
        assertThat(transfer.cancel("late")).isCompletedExceptionally();
    }

    @Test
    void progressStaysReadableAfterTheClose() {
        transfer.onProgress(progress -> {});

        assertThat(transfer.progress().sizeBytes()).isEqualTo(1);
        assertThat(transfer.landedAtAny(1)).isNotDone();
    }
}
