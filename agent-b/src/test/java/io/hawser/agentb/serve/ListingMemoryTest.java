package io.hawser.agentb.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.hop.ErrorCode;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ListingMemoryTest {
    private final AtomicReference<Runnable> drop = new AtomicReference<>(() -> {});
    private final ListingMemory memory = new ListingMemory(() -> drop.get().run());

    /** Takes a share of all that there is. */
    private static void take(ListingMemory.Share share, double part) throws NotServedException {
        String name = "n".repeat(1000 - ListingMemory.ENTRY_BYTES);
        for (long i = 0; i < part * ListingMemory.MAX_BYTES / 1000; i++) {
            share.add(name);
        }
    }

    private static ErrorCode refusal(ListingMemory.Share share, double part) {
        try {
            take(share, part);
        } catch (NotServedException e) {
            return e.refusal().code();
        }
        throw new AssertionError("not refused");
    }

    @Test
    void oneListingMayTakeAllAndNoMore() throws NotServedException {
        take(memory.share(), 0.99);
        assertThat(refusal(memory.share(), 0.02)).isEqualTo(ErrorCode.STORAGE_FAILED);
        assertThat(refusal(new ListingMemory(() -> {}).share(), 1.01)).isEqualTo(ErrorCode.TOO_LARGE);
    }

    @Test
    void refusedListingLeavesItsMemoryToOthers() throws NotServedException {
        ListingMemory.Share other = memory.share();
        take(other, 0.4);
        assertThat(refusal(memory.share(), 0.7)).isEqualTo(ErrorCode.STORAGE_FAILED);
        take(other, 0.5);
        other.release();
        take(memory.share(), 0.9);
    }

    @Test
    void keptListingIsDroppedBeforeAnotherIsRefused() throws NotServedException {
        ListingMemory.Share kept = memory.share();
        take(kept, 0.9);
        drop.set(kept::release);
        take(memory.share(), 0.9);
    }

    @Test
    void charactersOfTwoBytesCountDouble() throws NotServedException {
        String name = "\u0416".repeat(1 << 20);
        ListingMemory.Share share = memory.share();
        for (int i = 0; i < 11; i++) {
            share.add(name);
        }
        assertThatThrownBy(() -> share.add(name)).hasMessageContaining("more than 24 MiB");
    }
}
