package io.hawser.core.hop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RetransmissionTimerTest {
    private static final long MILLIS = 1_000_000;

    private final RetransmissionTimer policy = new RetransmissionTimer();

    @Test
    void aBusyDiskThatAcksNothingIsNoReasonToSendAgainSoon() {
        assertThat(policy.lags(0, 1000 * MILLIS)).isFalse();
        assertThat(policy.lags(0, 1600 * MILLIS)).isTrue();
    }

    @Test
    void whatWasSentBeforeSomethingThatIsAckedLagsAfterHalfASecond() {
        policy.acked(100 * MILLIS, 150 * MILLIS);
        assertThat(policy.lags(0, 400 * MILLIS)).isFalse();
        assertThat(policy.lags(0, 600 * MILLIS)).isTrue();
        assertThat(policy.lags(200 * MILLIS, 800 * MILLIS)).isFalse();
    }

    @Test
    void whereAcksTakeLongMorePatienceIsShown() {
        for (int i = 0; i < 100; i++) {
            policy.acked(i * MILLIS, (i + 400) * MILLIS);
        }
        assertThat(policy.lags(0, 700 * MILLIS)).isFalse();
        assertThat(policy.lags(0, 900 * MILLIS)).isTrue();
        assertThat(policy.lags(200 * MILLIS, 1600 * MILLIS)).isFalse();
        assertThat(policy.lags(200 * MILLIS, 1900 * MILLIS)).isTrue();
    }

    @Test
    void whereAcksComeUnevenlyMorePatienceIsShown() {
        for (int i = 0; i < 100; i++) {
            policy.acked(i * MILLIS, (i + 200 + 400 * (i % 2)) * MILLIS);
        }
        assertThat(policy.lags(0, 1000 * MILLIS)).isFalse();
        assertThat(policy.lags(0, 1400 * MILLIS)).isTrue();
    }

    /** On a long link the first ack says already how long acks take. */
    @Test
    void theFirstAckTeachesPatience() {
        policy.acked(10 * MILLIS, 710 * MILLIS);
        assertThat(policy.lags(0, 1300 * MILLIS)).isFalse();
    }
}
