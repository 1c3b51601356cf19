package io.hawser.it.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The whole chain under crashes and faults, some schedules of each kind. {@code integration-tests/lab sim} runs more of them, and any of them
 * again. {@code -Dhawser.sim.schedules=N} is how many there are.
 */
@Tag("schedules")
class ChainSimulationTest {
    /** All kinds together: about 20 s of two processors. */
    private static final int IN_EACH_BUILD = 2_000;

    /**
     * So many meet every fault; {@code .ci/run} runs them. They are fewer than when stores were models, of which a processor ran 750 a
     * second: with the stores that ship, their digests and their disks it runs about 60.
     */
    private static final int ENOUGH = 12_000;

    private static final int SCHEDULES = Integer.getInteger("hawser.sim.schedules", IN_EACH_BUILD);

    private static final int MAX_FAILURES = 20;

    static Stream<Arguments> kinds() {
        return Stream.of(
                Arguments.of(ScheduleKind.FILES, SCHEDULES / 100 * 15),
                Arguments.of(ScheduleKind.REMOVALS, SCHEDULES / 100 * 10),
                Arguments.of(ScheduleKind.FORGETTING, SCHEDULES / 100 * 10),
                Arguments.of(ScheduleKind.EDGES, SCHEDULES / 100 * 15),
                Arguments.of(ScheduleKind.STOPS, SCHEDULES / 100 * 10),
                Arguments.of(ScheduleKind.HOSTILE, SCHEDULES / 100 * 10),
                Arguments.of(ScheduleKind.TERMS, SCHEDULES / 100 * 10),
                Arguments.of(ScheduleKind.GROUPS, SCHEDULES / 100 * 10),
                Arguments.of(ScheduleKind.REPEATS, SCHEDULES / 100 * 10),
                Arguments.of(ScheduleKind.CANCELS, SCHEDULES / 100 * 10));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    @Invariant({InvariantName.ORDER_BY_PATH, InvariantName.NO_CHIMERA, InvariantName.BOUNDED_MEMORY})
    void everyScheduleKeepsAllInvariants(ScheduleKind kind, int schedules) {
        Simulator simulator = new Simulator(MAX_FAILURES);
        long first = kind.firstSeed();

        List<Simulator.Failure> failures =
                simulator.runAll(LongStream.range(first, first + schedules), PlantedBug.NONE);

        System.out.println(kind + ": " + simulator.report());
        assertThat(failures).withFailMessage(() -> describe(failures)).isEmpty();
        if (SCHEDULES >= ENOUGH) {
            assertThat(simulator.neverMet(kind))
                    .as("a run that never met a fault proves nothing about it: it is void")
                    .isEmpty();
        }
    }

    @Test
    void seedsThatFoundBugsStayGreen() {
        Simulator simulator = new Simulator(MAX_FAILURES);

        List<Simulator.Failure> failures = simulator.runAll(KeptSeeds.load().stream(), PlantedBug.NONE);

        assertThat(simulator.schedules()).isPositive();
        assertThat(failures).withFailMessage(() -> describe(failures)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void sameSeedGivesTheSameSchedule(ScheduleKind kind) {
        for (long seed = kind.firstSeed(); seed < kind.firstSeed() + 10; seed++) {
            Simulator one = new Simulator(MAX_FAILURES);
            Simulator other = new Simulator(MAX_FAILURES);
            one.runAll(LongStream.of(seed), PlantedBug.NONE);
            other.runAll(LongStream.of(seed), PlantedBug.NONE);

            assertThat(other.steps()).isEqualTo(one.steps());
            assertThat(other.counts()).isEqualTo(one.counts());
        }
    }

    private static String describe(List<Simulator.Failure> failures) {
        StringBuilder text = new StringBuilder().append(failures.size()).append(" schedules failed.");
        failures.stream().limit(5).forEach(failure -> text.append("\n\n")
                .append(failure.cause())
                .append("\nRepeat it with: integration-tests/lab sim replay ")
                .append(failure.seed()));
        return text.toString();
    }
}
