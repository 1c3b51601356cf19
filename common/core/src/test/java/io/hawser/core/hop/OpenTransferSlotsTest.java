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

    private final OpenTransferSlots places = slots(PLACES);

    private final List<OutgoingTransfer> open = new ArrayList<>();

    private static OpenTransferSlots slots(int slots) {
        return new OpenTransferSlots(slots, transfer -> transfer.commit != null);
    }

    private static OutgoingTransfer transfer(long number, boolean committed) {
        SampleTransfer sample = sample(number);
        OutgoingTransfer transfer = new OutgoingTransfer(sample.manifest(), number, true);
        transfer.commit = committed ? sample.commit() : null;
        return transfer;
    }

    private static SampleTransfer sample(long number) {
        return SampleTransfer.file(new NodeId(1, 1), number, "t", "f" + number, 1, 16, number);
    }

    private OutgoingTransfer waiting(long number, boolean canFinish) {
        OutgoingTransfer transfer = transfer(number, canFinish);
        assertThat(places.take(transfer)).isFalse();
        return transfer;
    }

    private void giveBack() {
        places.giveBack(open.remove(0));
    }

    private void fill(int number, boolean canFinish) {
        for (int i = 0; i < number; i++) {
            open.add(transfer(1000 + open.size(), canFinish));
            assertThat(places.take(open.get(open.size() - 1))).isTrue();
        }
    }

    @Test
    void whatCanFinishMayHaveEveryPlace() {
        fill(PLACES, CAN_FINISH);

        waiting(1, CAN_FINISH);
    }

    /** A predecessor may come late, such as one whose copy at the receiver is damaged. */
    @Test
    void whatTheOpenOnesWaitForGetsASlotBeyondTheLimit() {
        fill(PLACES, CAN_FINISH);
        open.forEach(transfer -> transfer.commit = null); // from now on they wait

        fill(1, CAN_FINISH);
        waiting(1, CAN_FINISH); // that one can finish
        waiting(2, UNFINISHED);
    }

    @Test
    void whatCannotFinishYetGetsHalfOfThePlaces() {
        fill(PLACES / 2, UNFINISHED);

        waiting(1, UNFINISHED);
        fill(PLACES / 2, CAN_FINISH);
    }

    @Test
    void ofOnePlaceThereIsNoHalf() {
        OpenTransferSlots one = slots(1);

        assertThat(one.take(transfer(1, UNFINISHED))).isTrue();
        assertThat(one.take(transfer(2, UNFINISHED))).isFalse();
    }

    @Test
    void whoWaitsLongestIsNext() {
        fill(PLACES, CAN_FINISH);
        OutgoingTransfer first = waiting(1, CAN_FINISH);
        OutgoingTransfer second = waiting(2, CAN_FINISH);

        assertThat(places.next()).isNull();
        giveBack();
        assertThat(places.next()).isSameAs(first);
        assertThat(places.take(first)).isTrue();
        assertThat(places.next()).isNull();
        giveBack();
        assertThat(places.next()).isSameAs(second);
    }

    @Test
    void whatCanFinishGoesAheadOfWhatCannot() {
        fill(PLACES, CAN_FINISH);
        waiting(1, UNFINISHED);
        OutgoingTransfer ready = waiting(2, CAN_FINISH);

        giveBack();
        assertThat(places.next()).isSameAs(ready);
    }

    @Test
    void whatCannotFinishIsNextWhenMoreThanHalfIsFree() {
        fill(PLACES, CAN_FINISH);
        OutgoingTransfer incoming = waiting(1, UNFINISHED);

        for (int i = 0; i < PLACES / 2; i++) {
            assertThat(places.next()).isNull();
            giveBack();
        }
        assertThat(places.next()).isNull();
        giveBack();
        assertThat(places.next()).isSameAs(incoming);
    }

    @Test
    void whoCanFinishByNowWaitsAmongThoseThatCan() {
        fill(PLACES, CAN_FINISH);
        OutgoingTransfer committed = waiting(1, UNFINISHED);
        committed.commit = sample(1).commit();
        assertThat(places.take(committed)).isFalse();

        giveBack();
        assertThat(places.next()).isSameAs(committed);
        for (int i = 1; i < PLACES; i++) {
            giveBack();
        }
        assertThat(places.next()).isNull(); // it waits nowhere else
    }

    @Test
    void whoIsForgottenIsNotNext() {
        fill(PLACES, CAN_FINISH);
        places.forget(waiting(1, CAN_FINISH));
        OutgoingTransfer other = waiting(2, CAN_FINISH);

        giveBack();
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
            OpenTransferSlots some = slots(1 + random.nextInt(6));
            List<Long> finishing = new ArrayList<>();
            List<Long> unfinished = new ArrayList<>();
            List<OutgoingTransfer> taken = new ArrayList<>();
            for (long number = 1; number <= 60; number++) {
                boolean canFinish = random.nextBoolean();
                OutgoingTransfer transfer = transfer(number, canFinish);
                if (some.take(transfer)) {
                    taken.add(transfer);
                    (canFinish ? finishing : unfinished).add(number);
                }
            }
            while (!taken.isEmpty()) {
                some.giveBack(taken.remove(0));
                for (OutgoingTransfer next = some.next(); next != null; next = some.next()) {
                    boolean canFinish = next.commit != null;
                    assertThat(some.take(next)).as("seed %d", seed).isTrue();
                    taken.add(next);
                    (canFinish ? finishing : unfinished).add(next.manifest.number());
                }
            }

            assertThat(finishing.size() + unfinished.size()).as("seed %d", seed).isEqualTo(60);
            assertThat(finishing).as("seed %d", seed).isSorted();
            assertThat(unfinished).as("seed %d", seed).isSorted();
        }
    }
}
