package io.hawser.store.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.store.log.LogPosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JournalUseTest {
    private final JournalUse use = new JournalUse();

    /** Against a look at every transfer. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void isTheSumOfWhatTheTransfersNeed(long seed) {
        Random random = new Random(seed);
        List<JournalFootprint> counted = new ArrayList<>();
        List<JournalFootprint> forgotten = new ArrayList<>();
        for (int step = 0; step < 2000; step++) {
            long segment = 1L + step / 100;
            switch (random.nextInt(6)) {
                case 0 -> {
                    JournalFootprint begun = new JournalFootprint();
                    if (random.nextBoolean()) {
                        begun.add(new LogPosition(segment, 4096), 100);
                    }
                    use.add(begun);
                    counted.add(begun);
                }
                case 1 -> one(random, counted).forEach(each -> each.add(new LogPosition(segment, 4096), 7));
                case 2 -> one(random, counted).forEach(each -> each.replace(segment, 11));
                case 3 -> one(random, counted).forEach(JournalFootprint::clear);
                case 4 ->
                    one(random, counted).forEach(each -> {
                        use.remove(each);
                        counted.remove(each);
                        forgotten.add(each);
                    });
                default ->
                    one(random, forgotten).forEach(each -> {
                        each.add(new LogPosition(segment, 4096), 13); // a record of it was on its way
                        use.remove(each);
                    });
            }
            assertThat(use.firstSegment())
                    .isEqualTo(counted.stream()
                            .mapToLong(JournalFootprint::firstSegment)
                            .min()
                            .orElse(JournalFootprint.NOWHERE));
            assertThat(use.lengthBytes())
                    .isEqualTo(counted.stream()
                            .mapToLong(JournalFootprint::lengthBytes)
                            .sum());
        }
    }

    private static List<JournalFootprint> one(Random random, List<JournalFootprint> of) {
        return of.isEmpty() ? List.of() : List.of(of.get(random.nextInt(of.size())));
    }
}
