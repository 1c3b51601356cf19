package io.hawser.it.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The simulator can fail: each planted bug is found, and how soon is printed. */
class PlantedBugTest {
    private static final int SEEDS = 3_000;

    @ParameterizedTest
    @EnumSource(value = PlantedBug.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    @Invariant({
        InvariantName.DURABLE_ACK,
        InvariantName.NO_FORGET,
        InvariantName.IMMUTABLE,
        InvariantName.WHOLE_OR_NOTHING,
        InvariantName.EXACTLY_ONCE_DELIVERY,
        InvariantName.ORDER_BY_PATH,
        InvariantName.RESUME_FROM_DURABLE,
        InvariantName.REFUSE_DONT_CORRUPT,
        InvariantName.FAIL_STOP,
        InvariantName.NO_CHIMERA,
        InvariantName.ACCEPT_WHAT_CAN_FINISH,
        InvariantName.VERIFIED_THIS_RUN,
        InvariantName.HONEST_ANSWERS,
        InvariantName.AUTHORISED_BEFORE_MEMORY
    })
    void isFound(PlantedBug bug) {
        Simulator simulator = new Simulator(1);

        List<Simulator.Failure> failures = simulator.runAll(
                LongStream.range(bug.kind().firstSeed(), bug.kind().firstSeed() + SEEDS), bug);

        assertThat(failures).as("schedules that find %s", bug).isNotEmpty();
        System.out.printf(
                "%s: found by %d of the first %d seeds, first by %d: %s%n",
                bug,
                failures.size(),
                simulator.schedules(),
                failures.get(0).seed(),
                String.valueOf(failures.get(0).cause().getMessage())
                        .lines()
                        .findFirst()
                        .orElse(""));
    }
}
