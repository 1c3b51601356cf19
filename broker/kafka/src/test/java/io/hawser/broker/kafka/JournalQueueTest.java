package io.hawser.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.broker.store.local.RecordKind;
import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Fragment;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.store.log.AppendCallback;
import io.hawser.store.log.LogPosition;
import io.hawser.store.storage.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JournalQueueTest {
    private static final int OPENED = 1;
    private static final int SMALL = 3;
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), TransferId.of(3, 4, 5));
    private static final AppendCallback NOBODY = new AppendCallback() {
        @Override
        public void durable(long sequence, LogPosition position) {}

        @Override
        public void failed(StorageException reason) {}
    };

    private final FragmentBuffer buffer = Objects.requireNonNull(new FragmentBufferPool(64, 1).tryAcquire());
    private final JournalQueue queue = new JournalQueue();
    private final List<PendingRecord> payloads = new ArrayList<>();

    private PendingRecord put(int kind, long index) {
        Fragment fragment = kind == OPENED ? null : new Fragment(KEY, index, 1, 0, new byte[32], buffer, 0);
        PendingRecord record = new PendingRecord(kind, KEY, index, new byte[0], fragment, null, NOBODY);
        assertThat(queue.put(record, payloads::add)).isNull();
        return record;
    }

    private void place(PendingRecord record) {
        queue.placed(record, new KafkaJournalRecord.PayloadPlace(0, record.index, 1, 1));
    }

    @Test
    void aFragmentThatIsThereDoesNotWaitForAnotherOne() throws InterruptedException {
        PendingRecord opened = put(OPENED, 0);
        PendingRecord late = put(RecordKind.FRAGMENT, 1);
        PendingRecord early = put(RecordKind.FRAGMENT, 2);
        place(early);

        assertThat(queue.take()).containsExactly(opened, early);

        place(late);
        assertThat(queue.take()).containsExactly(late);
        assertThat(payloads).containsExactly(late, early);
    }

    @Test
    void whatIsNoFragmentWaitsForAllBeforeItAndAllBehindItForIt() throws InterruptedException {
        for (int kind : new int[] {OPENED, SMALL}) {
            PendingRecord late = put(RecordKind.FRAGMENT, 1);
            PendingRecord early = put(RecordKind.FRAGMENT, 2);
            PendingRecord barrier = put(kind, 3);
            PendingRecord behind = put(RecordKind.FRAGMENT, 4);
            place(early);
            if (kind == SMALL) {
                place(barrier);
            }
            place(behind);

            assertThat(queue.take()).as("beside kind %d", kind).containsExactly(early);

            place(late);
            assertThat(queue.take()).as("with kind %d", kind).containsExactly(late, barrier, behind);
        }
    }

    @Test
    void aSmallOneThatIsNotThereHoldsUpFragmentsBehindIt() throws InterruptedException {
        PendingRecord first = put(RecordKind.FRAGMENT, 1);
        PendingRecord small = put(SMALL, 2);
        PendingRecord behind = put(RecordKind.FRAGMENT, 3);
        place(first);
        place(behind);

        assertThat(queue.take()).containsExactly(first);

        place(small);
        assertThat(queue.take()).containsExactly(small, behind);
    }

    @Test
    void closedAndDrainedItGivesNothing() throws InterruptedException {
        PendingRecord waiting = put(RecordKind.FRAGMENT, 1);
        StorageException reason = new StorageException("over");

        assertThat(queue.drain(reason)).containsExactly(waiting);
        assertThat(queue.take()).isEmpty();
        @Nullable StorageException refused = queue.put(waiting, payloads::add);
        assertThat(refused).isSameAs(reason);
    }
}
