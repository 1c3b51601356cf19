package io.hawser.ops.observe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HopAdviceTest {
    private static String advice(String state, String reason) {
        return HopAdvice.of(new HopStatus("broker->b", state, new HopStatus.Bytes(0, 0, 0, 0, 0), reason));
    }

    @ParameterizedTest
    @CsvSource({
        "waiting,no session with the broker: connection refused,Start the broker",
        "committed,no subscription has come for it yet,hawser agent-b --subscribe",
        "waiting,its consumer is not connected,Start its agent-b",
        "waiting,'only its member m may deliver it, which is not connected',Start that member",
        "waiting,its publisher is not connected,Start its publisher",
        "receiving,the client broke off and has not come back,send it again",
        "refused,NO_SPACE: the quota is used up,hawser quotas",
        "refused,NOT_ALLOWED: no right,Remove the cause"
    })
    void knownReasonHasAdvice(String state, String reason, String expected) {
        assertThat(advice(state, reason)).contains(expected);
    }

    @Test
    void whatNothingHoldsBackNeedsNoAdvice() {
        assertThat(advice("sending", "")).isEmpty();
        assertThat(advice("sending", "more of it has yet to come from its publisher"))
                .isEmpty();
    }
}
