package io.hawser.it.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import org.junit.jupiter.api.Test;

/** A small transfer, with a crash at each of its steps and something at each call of its disks; {@code integration-tests/lab sim exhaustive} runs all second crashes. */
class ExhaustiveTest {
    private static final int ONE_IN = 499;

    @Test
    @Invariant({InvariantName.DURABLE_ACK, InvariantName.EXACTLY_ONCE_DELIVERY, InvariantName.WHOLE_OR_NOTHING})
    void aTransferSurvivesACrashAtAnyStepAndASecondOneBehindIt() {
        Exhaustive exhaustive = new Exhaustive(ONE_IN, progress -> {});

        exhaustive.run();

        System.out.println(exhaustive.report());
        assertThat(exhaustive.failures()).isEmpty();
        assertThat(exhaustive.isComplete())
                .as("all chosen crashes were run, and each sort of them met a node")
                .isTrue();
        assertThat(exhaustive.schedules()).as("crashes at every step").isGreaterThan(1_000);
    }

    @Test
    void aChosenCrashIsItsSeed() {
        CrashPoint second = new CrashPoint(77, 2, CrashPoint.Survival.SOME, null);
        CrashPoint crash = new CrashPoint(123, 1, CrashPoint.Survival.ALL, second);

        assertThat(CrashPoint.ofSeed(crash.toSeed())).isEqualTo(crash);
        assertThat(ScheduleKind.of(crash.toSeed())).isEqualTo(ScheduleKind.EVERY_STEP);
    }

    @Test
    void aChosenCallIsItsSeed() {
        CallPoint call = new CallPoint(true, 2, 117, CallPoint.Way.SHORT);

        assertThat(CallPoint.ofSeed(call.toSeed())).isEqualTo(call);
        assertThat(ScheduleKind.of(call.toSeed())).isEqualTo(ScheduleKind.EVERY_CALL);
    }
}
