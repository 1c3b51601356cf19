package io.hawser.broker.store.local;

import static io.hawser.broker.store.StoreDriver.FRAGMENT_BYTES;
import static io.hawser.broker.store.StoreDriver.key;
import static io.hawser.broker.store.StoreDriver.manifest;
import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.model.FragmentRanges;
import io.hawser.store.log.LogPosition;
import io.hawser.store.testkit.TestRuntime;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A flipped bit in a row, or in what finds it, is seen before the segment that the row holds is deleted. */
class PlacesCheckTest {
    /** Numbers that are nowhere in a database by chance, as H2 writes them. */
    private static final long PLACE_SEGMENT = 0x1122334455667788L;

    private static final long STATE_SEGMENT = 0x2233445566778811L;

    @TempDir
    Path directory;

    private void fill() {
        try (H2Index index = H2Index.open(directory)) {
            index.completeSchema();
            save(index, 1, STATE_SEGMENT, PLACE_SEGMENT);
            save(index, 2, 5, 5);
            index.commit();
        }
    }

    private static void save(H2Index index, long number, long stateSegment, long placeSegment) {
        IndexedTransfer transfer = new IndexedTransfer(manifest(number, 2L * FRAGMENT_BYTES), stateSegment);
        transfer.durable = FragmentRanges.of(0, 2);
        transfer.newRuns.add(new Extent(0, 2, new LogPosition(placeSegment, 4_096), 8_192));
        index.transfers().save(transfer);
    }

    private static Optional<IndexFailedException> verdict(PlacesCheck check) {
        AtomicReference<Optional<IndexFailedException>> verdict = new AtomicReference<>();
        check.run(TestRuntime.threads(), failure -> verdict.set(Optional.ofNullable(failure)));
        return verdict.get();
    }

    private Optional<IndexFailedException> verdict() throws Exception {
        H2Index index;
        try {
            index = H2Index.open(directory);
        } catch (IndexFailedException e) {
            return Optional.of(e);
        }
        try {
            return verdict(index.placesCheck());
        } catch (IndexFailedException e) {
            return Optional.of(e);
        } finally {
            index.abandon();
        }
    }

    @Test
    void wholeRowsAreWhole() throws Exception {
        fill();
        assertThat(verdict()).isEmpty();
    }

    @Test
    void aFlippedBitInAnyCopyOfThePlacesSegmentIsSeen() throws Exception {
        assertEachFlipIsSeen(PLACE_SEGMENT, 3); // in the row, and in the indexes by key and by segment
    }

    @Test
    void aFlippedBitInAnyCopyOfTheStatesSegmentIsSeen() throws Exception {
        assertEachFlipIsSeen(STATE_SEGMENT, 2); // in the row and in the index
    }

    @Test
    void aFlippedBitInAnyCopyOfTheKeyIsSeen() throws Exception {
        fill();
        assertEachFlipIsSeen(H2Index.bytes(key(1)), 5); // in both rows, in what one describes, and in both indexes
    }

    private void assertEachFlipIsSeen(long number, int copies) throws Exception {
        fill();
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + 1);
        long rest = number;
        while (rest > 0x7F) {
            bytes.put((byte) (rest | 0x80));
            rest >>>= 7;
        }
        assertEachFlipIsSeen(Arrays.copyOf(bytes.put((byte) rest).array(), bytes.position()), copies);
    }

    /** In each copy that H2 uses; it also leaves older ones in the file. */
    private void assertEachFlipIsSeen(byte[] wanted, int copies) throws Exception {
        Path file = directory.resolve("index.mv.db");
        byte[] whole = Files.readAllBytes(file);
        int seen = 0;
        for (int place : placesOf(whole, wanted)) {
            byte[] damaged = whole.clone();
            damaged[place + wanted.length - 1] ^= 4;
            Files.write(file, damaged);
            seen += verdict().isPresent() ? 1 : 0;
        }
        assertThat(seen).isEqualTo(copies);
    }

    private static List<Integer> placesOf(byte[] bytes, byte[] wanted) {
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i <= bytes.length - wanted.length; i++) {
            if (Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
                places.add(i);
            }
        }
        return places;
    }

    /** Rows change while a broker that has run for long is looking at them. */
    @Test
    void whatChangesMeanwhileIsNotLookedAt() throws Exception {
        fill();
        try (H2Index index = H2Index.open(directory)) {
            PlacesCheck check = index.placesCheck();
            index.runs().deleteAll(key(1));
            save(index, 3, 7, 7);
            index.commit();
            assertThat(verdict(check)).isEmpty();
            assertThat(verdict(index.placesCheck())).isPresent();
        }
    }
}
