package io.hawser.agenta.upload;

import static io.hawser.agenta.upload.EndEvidence.NOT_ANNOUNCED;
import static io.hawser.agenta.upload.EndEvidence.Verdict.COMPLETE;
import static io.hawser.agenta.upload.EndEvidence.Verdict.INCOMPLETE;
import static io.hawser.agenta.upload.EndEvidence.Verdict.UNDECIDED;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

@SuppressWarnings("ConstantOverflow") // a monotonic clock may pass the end of long
class EndEvidenceTest {
    private static final long ENDED = 1_000;
    private static final long WINDOW = 100;

    private final EndEvidence evidence = new EndEvidence(ENDED, WINDOW, 10, NOT_ANNOUNCED);

    @Test
    void windowThatPassesIsEvidence() {
        assertThat(evidence.at(ENDED + WINDOW - 1)).isEqualTo(UNDECIDED);
        assertThat(evidence.at(ENDED + WINDOW)).isEqualTo(COMPLETE);
    }

    @Test
    void commandIsEvidence() {
        assertThat(evidence.commandArrived()).isEqualTo(COMPLETE);
    }

    @Test
    void controlConnectionThatEndsWithinTheWindowMakesItIncompleteForGood() {
        assertThat(evidence.controlClosed()).isEqualTo(INCOMPLETE);
        assertThat(evidence.at(ENDED + 2 * WINDOW)).isEqualTo(INCOMPLETE);
        assertThat(evidence.commandArrived()).isEqualTo(INCOMPLETE);
    }

    @Test
    void controlConnectionMayEndOnceItIsComplete() {
        assertThat(evidence.at(ENDED + WINDOW)).isEqualTo(COMPLETE);
        assertThat(evidence.controlClosed()).isEqualTo(COMPLETE);
    }

    @Test
    void alloIsEvidenceOnlyIfItIsReachedExactly() {
        assertThat(new EndEvidence(ENDED, WINDOW, 10, 10).verdict()).isEqualTo(COMPLETE);
        assertThat(new EndEvidence(ENDED, WINDOW, 9, 10).verdict()).isEqualTo(UNDECIDED);
        assertThat(new EndEvidence(ENDED, WINDOW, 11, 10).verdict()).isEqualTo(UNDECIDED);
        assertThat(new EndEvidence(ENDED, WINDOW, 0, NOT_ANNOUNCED).verdict()).isEqualTo(UNDECIDED);
    }
}
