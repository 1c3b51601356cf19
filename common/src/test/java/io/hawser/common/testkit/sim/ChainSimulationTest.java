package io.hawser.common.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The whole chain under crashes and faults. {@code -Dhawser.sim.schedules=N} runs more or fewer, {@code -Dhawser.sim.seed=S}
 * begins at another seed (and runs that one alone, unless a number is given; from 2^40 on subscriptions are removed, from 2^41 on incomplete
 * transfers forgotten), {@code -Dhawser.sim.trace=true} prints what
 * happens.
 */
class ChainSimulationTest {
    private static final int DEFAULT_SCHEDULES = 40_000;
    private static final int DEFAULT_REMOVAL_SCHEDULES = 3_000;
    private static final int MAX_FAILURES = 20;

    @Test
    void everyScheduleKeepsAllInvariants() {
        boolean oneSeed = System.getProperty("hawser.sim.seed") != null;
        long first = Long.getLong("hawser.sim.seed", 1);
        int schedules = Integer.getInteger("hawser.sim.schedules", oneSeed ? 1 : DEFAULT_SCHEDULES);
        Simulator simulator = new Simulator(MAX_FAILURES);

        List<Simulator.Failure> failures =
                simulator.runAll(LongStream.range(first, first + schedules), PlantedBug.NONE);

        System.out.println(simulator.report());
        assertThat(failures).withFailMessage(() -> describe(failures)).isEmpty();
        if (schedules >= DEFAULT_SCHEDULES) {
            // A run that never met a fault proves nothing about it: it is void.
            assertThat(Arrays.stream(Fault.values())
                            .filter(fault -> !fault.hasSeedsOfItsOwn() && simulator.count(fault) == 0))
                    .as("faults that never happened")
                    .isEmpty();
        }
    }

    @Test
    void everyScheduleInWhichSubscriptionsAreRemovedKeepsThemToo() {
        int schedules = Integer.getInteger("hawser.sim.schedules", DEFAULT_REMOVAL_SCHEDULES);
        long first = Plan.FIRST_SEED_WITH_REMOVALS + 1;
        Simulator simulator = new Simulator(MAX_FAILURES);

        List<Simulator.Failure> failures =
                simulator.runAll(LongStream.range(first, first + schedules), PlantedBug.NONE);

        System.out.println("subscriptions removed: " + simulator.report());
        assertThat(failures).withFailMessage(() -> describe(failures)).isEmpty();
        if (schedules >= DEFAULT_REMOVAL_SCHEDULES) {
            assertThat(Arrays.stream(Fault.values()).filter(fault -> fault.ofRemovals() && simulator.count(fault) == 0))
                    .as("situations that never came about")
                    .isEmpty();
        }
    }

    @Test
    void everyScheduleInWhichIncompleteTransfersAreForgottenKeepsThemToo() {
        int schedules = Integer.getInteger("hawser.sim.schedules", DEFAULT_REMOVAL_SCHEDULES);
        long first = Plan.FIRST_SEED_WITH_FORGETTING + 1;
        Simulator simulator = new Simulator(MAX_FAILURES);

        List<Simulator.Failure> failures =
                simulator.runAll(LongStream.range(first, first + schedules), PlantedBug.NONE);

        System.out.println("incomplete transfers forgotten: " + simulator.report());
        assertThat(failures).withFailMessage(() -> describe(failures)).isEmpty();
        assertThat(simulator.count(Fault.INCOMPLETE_FORGOTTEN)).isPositive();
    }

    @Test
    void seedsThatFoundBugsStayGreen() {
        Simulator simulator = new Simulator(MAX_FAILURES);

        List<Simulator.Failure> failures = simulator.runAll(keptSeeds(), PlantedBug.NONE);

        assertThat(simulator.schedules()).isPositive();
        assertThat(failures).withFailMessage(() -> describe(failures)).isEmpty();
    }

    @Test
    void sameSeedGivesTheSameSchedule() {
        for (long seed = 1; seed <= 20; seed++) {
            Simulator one = new Simulator(MAX_FAILURES);
            Simulator other = new Simulator(MAX_FAILURES);
            one.runAll(LongStream.of(seed), PlantedBug.NONE);
            other.runAll(LongStream.of(seed), PlantedBug.NONE);

            assertThat(other.steps()).isEqualTo(one.steps());
            assertThat(other.counts()).isEqualTo(one.counts());
        }
    }

    private static LongStream keptSeeds() {
        try (InputStream file = ChainSimulationTest.class.getResourceAsStream("/sim/seeds.txt");
                BufferedReader lines = new BufferedReader(
                        new InputStreamReader(Objects.requireNonNull(file), StandardCharsets.UTF_8))) {
            long[] seeds = lines.lines()
                    .map(line -> line.replaceFirst("#.*", "").trim())
                    .filter(line -> !line.isEmpty())
                    .mapToLong(Long::parseLong)
                    .toArray();
            return LongStream.of(seeds);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String describe(List<Simulator.Failure> failures) {
        StringBuilder text = new StringBuilder().append(failures.size()).append(" schedules failed.");
        failures.stream().limit(5).forEach(failure -> text.append("\n\n")
                .append(failure.cause())
                .append(
                        "\nRepeat it with: mvn -o -Dquick -pl common -am test -Dtest=ChainSimulationTest#everySchedule*")
                .append(" -Dsurefire.failIfNoSpecifiedTests=false -Dhawser.sim.trace=true -Dhawser.sim.seed=")
                .append(failure.seed()));
        return text.toString();
    }
}
