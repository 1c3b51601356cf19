package io.hawser.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program ends while it sends a stream. No broker listens. */
@Invariant(InvariantName.HONEST_ANSWERS)
class InterruptedStreamTest {
    private static final int BEFORE_BYTES = 3 << 20;

    @TempDir
    private Path state;

    /** Some bytes, and then nothing more until it fails. */
    private static final class Stuck extends InputStream {
        final CountDownLatch end = new CountDownLatch(1);
        private int left = BEFORE_BYTES;

        @Override
        public int read() throws IOException {
            if (left-- > 0) {
                return 7;
            }
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new IOException("the program ends");
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            into[offset] = (byte) read();
            return 1;
        }
    }

    private HawserClient connect() throws IOException {
        return HawserClient.connect(ClientOptions.of("127.0.0.1:1").withState(state));
    }

    @Test
    void aStreamThatWasNotAcceptedIsNotPending() throws Exception {
        Stuck stream = new Stuck();
        HawserClient first = connect();
        CompletableFuture<SentTransfer> sent = CompletableFuture.supplyAsync(() -> {
            try {
                return first.send("site-b", "f", stream);
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
        await().until(() ->
                first.pending().stream().anyMatch(each -> each.progress().spooledBytes() == BEFORE_BYTES));
        first.close();
        stream.end.countDown();
        await().until(sent::isCompletedExceptionally);
        assertThat(slot().isSettled()).isFalse();

        try (HawserClient next = connect()) {
            assertThat(next.pending()).isEmpty();
        }
        assertThat(slot().isSettled()).isTrue();
    }

    private StateSlot slot() throws IOException {
        return StateDirectory.at(state).slots().get(0);
    }
}
