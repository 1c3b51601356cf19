package io.hawser.core.hop;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.model.NodeId;
import io.hawser.core.testkit.SampleTransfer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OpenTransferSlotsTest {
    private static final int PLACES = 4;
    private static final boolean CAN_FINISH = true;
    private static final boolean UNFINISHED = false;

    private final OpenTransferSlots places = new OpenTransferSlots(PLACES);

    private static OutgoingTransfer transfer(long number) {
        return transfer(number, UNFINISHED);
    }

    private static OutgoingTransfer transfer(long number, boolean committed) {
        SampleTransfer sample = SampleTransfer.file(new NodeId(1, 1), number, "t", "f" + number, 1, 16, number);
        OutgoingTransfer transfer = new OutgoingTransfer(sample.manifest(), number, true);
        transfer.commit = committed ? sample.commit() : null;
        return transfer;
    }

    private OutgoingTransfer waiting(long number, boolean canFinish) {
        OutgoingTransfer transfer = transfer(number);
        assertThat(places.take(transfer, canFinish)).isFalse();
        return transfer;
    }

    private void fill(int number, boolean canFinish) {
        for (int i = 0; i < number; i++) {
            assertThat(places.take(transfer(1000 + i), canFinish)).isTrue();
        }
    }

    @Test
    void whatCanFinishMayHaveEveryPlace() {
        fill(PLACES, CAN_FINISH);

        waiting(1, CAN_FINISH);
    }

    @Test
    void whatCannotFinishYetGetsHalfOfThePlaces() {
        fill(PLACES / 2, UNFINISHED);

        waiting(1, UNFINISHED);
        fill(PLACES / 2, CAN_FINISH);
    }

    @Test
    void ofOnePlaceThereIsNoHalf() {
        OpenTransferSlots one = new OpenTransferSlots(1);

        assertThat(one.take(transfer(1), UNFINISHED)).isTrue();
        assertThat(one.take(transfer(2), CAN_FINISH)).isFalse();
    }

    @Test
    void whoWaitsLongestIsNext() {
        fill(PLACES, CAN_FINISH);
        OutgoingTransfer first = waiting(1, CAN_FINISH);
        OutgoingTransfer second = waiting(2, CAN_FINISH);

        assertThat(places.next()).isNull();
        places.giveBack();
        assertThat(places.next()).isSameAs(first);
        assertThat(places.take(first, CAN_FINISH)).isTrue();
        assertThat(places.next()).isNull();
        places.giveBack();
        assertThat(places.next()).isSameAs(second);
    }

    @Test
    void whatCanFinishGoesAheadOfWhatCannot() {
        fill(PLACES, CAN_FINISH);
        waiting(1, UNFINISHED);
        OutgoingTransfer ready = waiting(2, CAN_FINISH);

        places.giveBack();
        assertThat(places.next()).isSameAs(ready);
    }

    @Test
    void whatCannotFinishIsNextWhenMoreThanHalfIsFree() {
        fill(PLACES, CAN_FINISH);
        OutgoingTransfer incoming = waiting(1, UNFINISHED);

        for (int i = 0; i < PLACES / 2; i++) {
            assertThat(places.next()).isNull();
            places.giveBack();
        }
        assertThat(places.next()).isNull();
        places.giveBack();
        assertThat(places.next()).isSameAs(incoming);
    }

    @Test
    void whoCanFinishByNowWaitsAmongThoseThatCan() {
        fill(PLACES, CAN_FINISH);
        OutgoingTransfer committed = waiting(1, UNFINISHED);
        assertThat(places.take(committed, CAN_FINISH)).isFalse();

        places.giveBack();
        assertThat(places.next()).isSameAs(committed);
        for (int i = 1; i < PLACES; i++) {
            places.giveBack();
        }
        assertThat(places.next()).isNull(); // it waits nowhere else
    }

    @Test
    void whoIsForgottenIsNotNext() {
        fill(PLACES, CAN_FINISH);
        places.forget(waiting(1, CAN_FINISH));
        OutgoingTransfer other = waiting(2, CAN_FINISH);

        places.giveBack();
        assertThat(places.next()).isSameAs(other);
    }

    @Test
    void aNewSessionHasAllPlacesFreeAndNobodyWaiting() {
        fill(PLACES, CAN_FINISH);
        waiting(1, CAN_FINISH);
        waiting(2, UNFINISHED);
        places.clear();

        assertThat(places.next()).isNull();
        fill(PLACES, CAN_FINISH);
    }

    /** Whatever ends when: everybody gets a place in the end, and nobody before one of his kind who came earlier. */
    @Test
    void nobodyWaitsForEver() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            OpenTransferSlots some = new OpenTransferSlots(1 + random.nextInt(6));
            List<Long> finishing = new ArrayList<>();
            List<Long> unfinished = new ArrayList<>();
            int open = 0;
            for (long number = 1; number <= 60; number++) {
                boolean canFinish = random.nextBoolean();
                if (some.take(transfer(number, canFinish), canFinish)) {
                    open++;
                    (canFinish ? finishing : unfinished).add(number);
                }
            }
            while (open > 0) {
                some.giveBack();
                open--;
                for (OutgoingTransfer next = some.next(); next != null; next = some.next()) {
                    boolean canFinish = next.commit != null;
                    assertThat(some.take(next, canFinish)).as("seed %d", seed).isTrue();
                    open++;
                    (canFinish ? finishing : unfinished).add(next.manifest.number());
                }
            }

            assertThat(finishing.size() + unfinished.size()).as("seed %d", seed).isEqualTo(60);
            assertThat(finishing).as("seed %d", seed).isSorted();
            assertThat(unfinished).as("seed %d", seed).isSorted();
        }
    }
}
