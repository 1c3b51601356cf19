package io.hawser.broker.store.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.store.log.LogPosition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a row says of the places of fragments. */
class ExtentPackTest {
    private static final long STRIDE = 4_240;

    private static Map<Long, LogPosition> lastPlaces(List<Extent> runs) {
        Map<Long, LogPosition> places = new TreeMap<>();
        for (Extent run : runs) {
            for (long i = run.start(); i < run.start() + run.count(); i++) {
                places.merge(i, run.positionOf(i), (a, b) -> a.compareTo(b) > 0 ? a : b);
            }
        }
        return places;
    }

    private static ExtentPack throughARow(ExtentPack pack) {
        return ExtentPack.decoded(pack.start(), pack.first(), pack.encoded());
    }

    /** A column takes 16 KiB. */
    @Test
    void fragmentsThatAreThereVeryOftenTakeMoreRows() {
        List<Extent> runs = new ArrayList<>();
        for (int copy = 0; copy < 5_000; copy++) {
            for (long index = 15; index >= 0; index--) {
                runs.add(new Extent(index, 1, new LogPosition(7, 4_096 + runs.size() * STRIDE), STRIDE));
            }
        }

        List<ExtentPack> packs = ExtentPack.of(runs);

        assertThat(packs).allSatisfy(pack -> {
            assertThat(pack.encoded()).hasSizeLessThan(16_384);
            assertThat(throughARow(pack)).isEqualTo(pack);
        });
        assertThat(packs.stream().map(pack -> pack.start() + " " + pack.first()))
                .doesNotHaveDuplicates();
        List<Extent> all = packs.stream().flatMap(pack -> pack.runs().stream()).toList();
        assertThat(lastPlaces(all)).isEqualTo(lastPlaces(runs));
    }

    @Test
    void fragmentsInNoOrderTakeFewRowsAndKeepTheirPlaces() {
        for (long seed = 1; seed <= 50; seed++) {
            Random random = new Random(seed);
            List<Long> fragments = new ArrayList<>();
            for (long i = 0; i < 2_000; i++) {
                fragments.add(random.nextInt(20) == 0 ? Math.max(0, i - 100) : i); // some for the second time
            }
            for (int from = 0; from < fragments.size(); from += 50) {
                Collections.shuffle(fragments.subList(from, from + 50), random);
            }
            List<Extent> runs = new ArrayList<>();
            LogPosition at = new LogPosition(7, 4_096);
            for (long fragment : fragments) {
                runs.add(new Extent(fragment, 1, at, STRIDE));
                at = new LogPosition(
                        at.segment() + (at.offset() > 5_000_000 ? 1 : 0),
                        at.offset() > 5_000_000 ? 4_096 : at.offset() + STRIDE);
            }

            List<ExtentPack> packs = ExtentPack.of(runs);

            List<Extent> read = new ArrayList<>();
            for (ExtentPack pack : packs) {
                assertThat(throughARow(pack)).isEqualTo(pack);
                assertThat(pack.end() - pack.start()).isLessThanOrEqualTo(ExtentPack.MAX_SPAN);
                assertThat(pack.runs())
                        .allMatch(run -> run.first().segment() == pack.first().segment());
                read.addAll(pack.runs());
            }
            assertThat(lastPlaces(read)).as("seed %d", seed).isEqualTo(lastPlaces(runs));
            assertThat(packs).as("seed %d", seed).hasSizeLessThan(16);
            assertThat(packs.stream().map(ExtentPack::first)).doesNotHaveDuplicates();
        }
    }

    @Test
    void aRunLongerThanAPackIsCut() {
        Extent run = new Extent(3, 1_000, new LogPosition(2, 8_192), 1 << 20);

        List<ExtentPack> packs = ExtentPack.of(List.of(run));

        assertThat(packs).hasSize(4);
        List<Extent> read = new ArrayList<>();
        packs.forEach(pack -> read.addAll(throughARow(pack).runs()));
        assertThat(lastPlaces(read)).isEqualTo(lastPlaces(List.of(run)));
    }

    @Test
    void aRowThatIsCutIsNoPack() {
        ExtentPack pack = ExtentPack.of(List.of(new Extent(3, 2, new LogPosition(2, 8_192), STRIDE)))
                .get(0);
        byte[] encoded = pack.encoded();

        for (int length = 0; length < encoded.length; length++) {
            byte[] cut = Arrays.copyOf(encoded, length);
            assertThatThrownBy(() -> ExtentPack.decoded(pack.start(), pack.first(), cut))
                    .isInstanceOf(IndexFailedException.class);
        }
    }

    /** A look-up by {@link ExtentPack#MAX_SPAN} would not find such runs. */
    @Test
    void aRowThatSaysMoreThanAPackHoldsIsNone() {
        LogPosition first = new LogPosition(2, 8_192);
        List<byte[]> rows = List.of(
                new byte[] {(byte) 0x80, 2, 1, 0, 1}, // begins 256 fragments behind the row
                new byte[] {(byte) 0xFF, 1, 2, 0, 1}, // ends there
                new byte[] {0, 1, 0, 1, (byte) 0xFF, 1, 2, 0, 1},
                new byte[] {0, 0, 0, 1},
                new byte[] {0, 1, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1}); // a stride of 71 bits

        assertThat(rows).allSatisfy(row -> assertThatThrownBy(() -> ExtentPack.decoded(3, first, row))
                .isInstanceOf(IndexFailedException.class));
        assertThat(ExtentPack.decoded(3, first, new byte[] {(byte) 0xFF, 1, 1, 0, 1})
                        .end())
                .isEqualTo(3 + ExtentPack.MAX_SPAN);
    }
}
