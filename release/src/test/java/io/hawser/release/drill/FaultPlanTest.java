package io.hawser.release.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.release.process.ProcessChain.Part;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FaultPlanTest {
    private static List<PlannedFault> first(int count, long seed) {
        FaultPlan plan = new FaultPlan(List.of(Part.values()), List.of(Part.BROKER), seed);
        return Stream.generate(plan::next).limit(count).toList();
    }

    @Test
    void eachComesOnceInEachRound() {
        List<PlannedFault> faults = first(12, 1);

        for (int round = 0; round < 3; round++) {
            assertThat(faults.subList(4 * round, 4 * round + 4))
                    .containsExactlyInAnyOrder(
                            new PlannedFault(FaultKind.KILL, Part.AGENT_A),
                            new PlannedFault(FaultKind.KILL, Part.BROKER),
                            new PlannedFault(FaultKind.KILL, Part.AGENT_B),
                            new PlannedFault(FaultKind.PAUSE, Part.BROKER));
        }
    }

    @Test
    void theSeedDecidesTheOrder() {
        assertThat(first(40, 5)).isEqualTo(first(40, 5)).isNotEqualTo(first(40, 6));
        assertThat(Set.copyOf(first(4, 5))).hasSize(4);
    }
}
