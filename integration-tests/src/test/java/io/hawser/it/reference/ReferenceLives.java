package io.hawser.it.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.store.testkit.FaultyStorage;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs of a node's store on one disk, each ended in some way; before each the reference reads what the earlier ones left. Thread: the test's. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ReferenceLives {
    private final int seeds;
    private final int lives;
    private final int lastKind;
    private final Set<Integer> kinds = new HashSet<>();
    private long segmentsDeleted;

    /** The directory of the log whose records all have to come. */
    Path log;

    FaultyStorage storage = new FaultyStorage();
    Random random = new Random();

    /** @param lastKind of the log's records */
    ReferenceLives(Path log, int seeds, int lives, int lastKind) {
        this.log = log;
        this.seeds = seeds;
        this.lives = lives;
        this.lastKind = lastKind;
    }

    /** A new disk. */
    abstract void begin(long seed);

    /** Opens the store, compares it with the reference, works and ends. */
    abstract void life(String name, ReferenceLog left) throws Exception;

    /** What happens to the disk between two lives: at every third start or so a bit of the log is flipped. */
    void befall() throws Exception {
        if (random.nextInt(3) == 0) {
            SegmentDamage.flip(storage, log, random);
        }
    }

    private LongStream seeds() {
        return LongStream.rangeClosed(1, seeds);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void agreesAfterEachEndOfTheProcess(long seed) throws Exception {
        random = new Random(seed);
        storage = new FaultyStorage();
        begin(seed);
        for (int life = 1; life <= lives; life++) {
            befall();
            ReferenceLog left = ReferenceLog.read(storage, log);
            List<ReferenceRecord> records = left.records();
            records.forEach(record -> kinds.add(record.kind()));
            segmentsDeleted = records.isEmpty()
                    ? segmentsDeleted
                    : Math.max(segmentsDeleted, records.get(0).segment() - 1);
            life("seed " + seed + " life " + life, left);
        }
    }

    /** Seeds may differ in what they come to. */
    @AfterAll
    void allKindsOfRecordsWereSeenAndSegmentsWereDeleted() {
        for (int kind = 1; kind <= lastKind; kind++) {
            assertThat(kinds).contains(kind);
        }
        assertThat(segmentsDeleted).isGreaterThan(3);
    }

    /** The process ends, with or without the machine, or only stops. */
    final void end(int ways) {
        switch (random.nextInt(ways)) {
            case 0 -> storage.kill();
            case 1 -> storage.powerCut(random.nextLong());
            default -> {}
        }
    }
}
