package io.hawser.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReceiverFuturesTest {
    private final AtomicInteger left = new AtomicInteger();
    private final ReceiverFutures futures = new ReceiverFutures(Runnable::run, left::incrementAndGet);

    @Test
    @Invariant(InvariantName.NO_SILENT_STOP)
    void aFinalRefusalEndsAReceiverThatWasSubscribed() {
        futures.onSubscribed();
        futures.onRefused(new Refusal(ErrorCode.NOT_ALLOWED, "no right to the topic"));

        assertThat(futures.subscribed()).isCompleted();
        assertThat(futures.ended())
                .isCompletedExceptionally()
                .failsWithin(0, TimeUnit.SECONDS)
                .withThrowableThat()
                .withMessageContaining("no right to the topic");
    }

    @Test
    void aFinalRefusalFailsTheSubscription() {
        futures.onRefused(new Refusal(ErrorCode.NOT_ALLOWED, "no right to the topic"));

        assertThat(futures.subscribed()).isCompletedExceptionally();
        assertThat(futures.ended()).isCompletedExceptionally();
        assertThat(left).as("a later session does not subscribe again").hasValue(1);
    }

    @Test
    void aRefusalForNowEndsNothing() {
        futures.onRefused(new Refusal(ErrorCode.SUBSCRIPTION_BUSY, "another consumer has it"));

        assertThat(futures.subscribed()).isNotDone();
        assertThat(futures.ended()).isNotDone();
        assertThat(left).hasValue(0);
    }
}
