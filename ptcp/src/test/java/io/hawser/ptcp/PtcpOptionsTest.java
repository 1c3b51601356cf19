package io.hawser.ptcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.ptcp.testkit.TestProxy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PtcpOptionsTest {

    @Test
    void anotherConnectTimeoutChangesNothingElse() {
        PtcpOptions options = PtcpOptions.DEFAULT.withStreams(7).withTuning(PtcpTuning.AUTO);
        PtcpOptions hasty = options.withConnectTimeout(Duration.ofMillis(1));
        assertThat(hasty.connectTimeout()).isEqualTo(Duration.ofMillis(1));
        assertThat(hasty.withConnectTimeout(options.connectTimeout())).isEqualTo(options);
    }

    @Test
    void theHeartbeatFitsTheSilenceThatIsAllowed() {
        PtcpOptions brief = PtcpOptions.DEFAULT.withSilence(Duration.ofSeconds(2));
        assertThat(brief.heartbeatTimeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(brief.heartbeatInterval()).isEqualTo(Duration.ofMillis(500));
        assertThat(PtcpOptions.DEFAULT.withSilence(Duration.ofSeconds(20))).isEqualTo(PtcpOptions.DEFAULT);
        assertThat(PtcpOptions.DEFAULT.withSilence(Duration.ofHours(1)).heartbeatInterval())
                .isEqualTo(Duration.ofSeconds(5));
    }

    /** Whoever is less patient decides, on either side. */
    @Test
    void ofTwoLimitsForSilenceTheSmallerHolds() throws Exception {
        PtcpOptions patient = PtcpOptions.DEFAULT.withStreams(1).withSilence(Duration.ofHours(1));
        PtcpOptions brief = patient.withSilence(Duration.ofSeconds(2));
        try (TestNet net = new TestNet("nio");
                TestProxy hasty = new TestProxy(net.listen(brief).localAddress());
                TestProxy slow = new TestProxy(net.listen(patient).localAddress())) {
            RecordingHandler first = new RecordingHandler();
            net.dial(hasty.address(), patient, first);
            RecordingHandler second = new RecordingHandler();
            net.dial(slow.address(), brief, second);
            // One that is not open yet at the accepting side ends without a word to its handler.
            await().until(() ->
                    net.accepted.size() == 2 && net.accepted.stream().allMatch(each -> each.session != null));

            hasty.links.get(0).freeze();
            slow.links.get(0).freeze();

            await().until(() -> first.closed != null && second.closed != null);
            assertThat(first.closed().code()).isEqualTo(PtcpErrorCode.TIMEOUT);
            assertThat(second.closed().code()).isEqualTo(PtcpErrorCode.TIMEOUT);
            await().until(() -> net.accepted.stream().allMatch(each -> each.closed != null));
        }
    }
}
