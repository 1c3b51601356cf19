package io.hawser.it.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ShrinkerTest {
    @Test
    void whatIsLeftFailsInTheSameWayAndIsNoLarger() {
        PlantedBug bug = PlantedBug.FORGET_AFTER_FIRST_SUBSCRIPTION;
        List<Simulator.Failure> failures = new Simulator(1).runAll(LongStream.range(1, 500), bug);
        Simulator.Failure failure = failures.get(0);
        SimChain whole = new SimChain(failure.seed(), bug, Reduction.NONE);
        whole.runToEnd();

        Shrinker.Shrunk shrunk = new Shrinker(failure.seed(), bug, failure.cause(), System::nanoTime).shrink();

        SimChain smaller = new SimChain(failure.seed(), bug, shrunk.reduction());
        smaller.runToEnd();
        assertThat(smaller.symptom()).isEqualTo(whole.symptom());
        assertThat(shrunk.faults()).isLessThanOrEqualTo(whole.faultsStruck());
        assertThat(shrunk.uploads()).isLessThanOrEqualTo(whole.wishes());
        assertThat(shrunk.faults() + shrunk.uploads()).isLessThan(whole.faultsStruck() + whole.wishes());
    }

    @Test
    void aReductionIsReadAsItIsPrinted() {
        Reduction reduction =
                Reduction.NONE.withoutFaults(0, 4).withoutFaults(7, 8).withoutUpload(2);

        assertThat(reduction.toOptions()).isEqualTo(" --without-faults 0-3,7 --without-uploads 2");
        assertThat(Reduction.parse("0-3,7")).isEqualTo(Objects.requireNonNull(reduction.faults()));
    }
}
