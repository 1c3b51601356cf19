package io.hawser.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.store.storage.OutOfSpaceException;
import io.hawser.store.storage.StorageException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a program learns when the disk of its client's slot fails. No broker listens. */
class StorageFailureTest extends FailingDiskClient {
    private static void assertStorageFailed(Future<?> future) {
        assertThat(future)
                .failsWithin(TestTimes.LIMIT)
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .isInstanceOfSatisfying(HawserException.class, StorageFailureTest::assertStorageFailed);
    }

    private static void assertStorageFailed(HawserException failure) {
        assertThat(failure.reason()).isEqualTo(HawserException.Reason.STORAGE_FAILED);
        assertThat(failure).hasMessageContaining("Input/output error");
    }

    private SentTransfer spooled(String name) throws Exception {
        SentTransfer transfer = client.send("site-b", name, new byte[1]);
        transfer.spooled().get(TestTimes.SECONDS, TimeUnit.SECONDS);
        return transfer;
    }

    private void failJournal(StorageException cause) throws IOException {
        storage.failCalls(call -> cause);
        assertThat(client.send("site-b", "last", new byte[1]).spooled()).failsWithin(TestTimes.LIMIT);
    }

    @Test
    @Invariant(InvariantName.NO_SILENT_STOP)
    void allPendingFuturesFailWhenTheJournalFails() throws Exception {
        CompletableFuture<byte[]> reply = client.request("site-b", "q", new byte[1], Duration.ofHours(1));
        SentTransfer transfer = spooled("f"); // the request's record, ahead of it, is in the journal too

        failJournal(new StorageException("Input/output error"));

        assertStorageFailed(transfer.brokered());
        assertStorageFailed(transfer.landed());
        assertStorageFailed(transfer.delivered());
        assertStorageFailed(transfer.deliveredAtAny(2));
        assertStorageFailed(reply);
    }

    @Test
    void aClientWithoutItsJournalSendsAndFollowsNothing() throws Exception {
        TransferId id = spooled("f").id();
        assertThat(client.failure()).isEmpty();

        failJournal(new StorageException("Input/output error"));

        HawserException failure = client.failure().orElseThrow();
        assertStorageFailed(failure);
        assertThat(failure)
                .hasMessageStartingWith("cannot write to " + directory)
                .hasMessageContaining("Check the disk")
                .hasMessageContaining("start again with the same state directory");
        assertThatThrownBy(() -> client.send("site-b", "more", new byte[1]))
                .isInstanceOf(HawserException.class)
                .hasMessage(failure.getMessage());
        assertStorageFailed(client.find(id).orElseThrow().brokered());
    }

    @Test
    void theNextClientResumesWhatAFailedJournalHas() throws Exception {
        TransferId id = spooled("f").id();
        failJournal(new OutOfSpaceException("No space left on device", new IOException()));
        assertThat(client.failure().orElseThrow()).hasMessageContaining("Make room on the disk");
        client.close();

        try (HawserClient next = HawserClient.connect(options())) {
            assertThat(next.find(id)).isPresent();
            assertThat(next.find(id).orElseThrow().brokered()).isNotDone();
        }
    }
}
