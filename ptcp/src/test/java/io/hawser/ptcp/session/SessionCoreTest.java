package io.hawser.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.ptcp.wire.ByteString;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SessionCoreTest {
    private static final ByteString SECRET =
            ByteString.of("0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
    private static final ByteString RANDOM = ByteString.of(new byte[16]);

    @Test
    void phasesGoForwardOnly() {
        assertThat(SessionPhase.OPENING.to(SessionPhase.OPEN)).isEqualTo(SessionPhase.OPEN);
        assertThat(SessionPhase.OPEN.to(SessionPhase.CLOSING)).isEqualTo(SessionPhase.CLOSING);
        assertThat(SessionPhase.OPENING.to(SessionPhase.CLOSED)).isEqualTo(SessionPhase.CLOSED);
        assertThatThrownBy(() -> SessionPhase.OPENING.to(SessionPhase.CLOSING))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> SessionPhase.CLOSED.to(SessionPhase.CLOSED)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> SessionPhase.CLOSED.to(SessionPhase.OPEN)).isInstanceOf(IllegalStateException.class);
    }

    /** The bytes were computed with Python's hmac module. */
    @Test
    void proofIsTheHmacOfLabelSessionStreamAndRandom() {
        ByteString proof = new JoinProof(SECRET, 0x0102030405060708L).ofDialler(3, RANDOM);
        assertThat(HexFormat.of().formatHex(proof.toArray()))
                .isEqualTo("5a583290dbdb38383dc6929701e02090693ea13a93505af1743b07edefccaec0");
        ByteString answer = new JoinProof(SECRET, 0x0102030405060708L).ofAcceptor(3, RANDOM);
        assertThat(HexFormat.of().formatHex(answer.toArray()))
                .isEqualTo("bd8db55c196cdbc62a694bde9d781f3913bb04cbf1fc31c9bcbb152563a1b3ab");
    }

    @Test
    void proofFitsItsOwnStreamSessionAndSecretOnly() {
        ByteString proof = new JoinProof(SECRET, 1).ofDialler(3, RANDOM);
        assertThat(JoinProof.matches(proof, new JoinProof(SECRET, 1).ofDialler(3, RANDOM)))
                .isTrue();
        assertThat(JoinProof.matches(proof, new JoinProof(SECRET, 1).ofDialler(4, RANDOM)))
                .isFalse();
        assertThat(JoinProof.matches(proof, new JoinProof(SECRET, 2).ofDialler(3, RANDOM)))
                .isFalse();
        assertThat(JoinProof.matches(proof, new JoinProof(RANDOM, 1).ofDialler(3, RANDOM)))
                .isFalse();
        assertThat(JoinProof.matches(proof, new JoinProof(SECRET, 1).ofAcceptor(3, RANDOM)))
                .isFalse();
    }

    @Test
    void peerIsDeadAfterTheWholeLimitOfSilence() {
        Heartbeat heartbeat = new Heartbeat(10, 100, 1_000);
        assertThat(heartbeat.isPeerDead(1_100)).isFalse();
        assertThat(heartbeat.isPeerDead(1_101)).isTrue();
        heartbeat.onHeard(1_090);
        assertThat(heartbeat.isPeerDead(1_190)).isFalse();
        heartbeat.onPong(1_050, 1_090);
        assertThat(heartbeat.rttNanos()).isEqualTo(40);
    }

    @Test
    void heartbeatIsNeverTooSeldomForItsLimit() {
        assertThat(new Heartbeat(1_000, 90, 0).intervalNanos()).isEqualTo(30);
    }

    @Test
    void peerCannotAskForABusierHeartbeatThanTheLeast() {
        Heartbeat heartbeat = Heartbeat.ofMillis(0, 0, 0);
        assertThat(heartbeat.intervalNanos()).isEqualTo(20_000_000);
        assertThat(heartbeat.timeoutNanos()).isEqualTo(100_000_000);
    }

    @Test
    void silenceWhileThisSideSleptIsNoDeath() {
        Heartbeat heartbeat = new Heartbeat(10, 100, 0);
        assertThat(heartbeat.isOverslept(60)).isFalse();
        assertThat(heartbeat.isOverslept(500)).isTrue();
        assertThat(heartbeat.isPeerDead(500)).isFalse();
        assertThat(heartbeat.isOverslept(510)).isFalse();
        assertThat(heartbeat.isPeerDead(600)).isFalse();
        assertThat(heartbeat.isPeerDead(601)).isTrue();
    }

    @Test
    void redialWaitsLongerEachTimeUpToACapAndForgivesAStableStream() {
        RedialPolicy policy = new RedialPolicy(100, 2, 1_000, 0.5, 5_000);
        Random random = new Random(1);
        for (int i = 0; i < 100; i++) {
            assertThat(policy.waitNanos(1, random)).isBetween(50L, 100L);
            assertThat(policy.waitNanos(3, random)).isBetween(200L, 400L);
            assertThat(policy.waitNanos(60, random)).isBetween(500L, 1_000L);
        }
        assertThat(policy.failuresAfter(7, 4_999)).isEqualTo(8);
        assertThat(policy.failuresAfter(7, 5_000)).isEqualTo(1);
    }

    @Test
    void streamNumberJoinsOnce() {
        StreamNumberRegistry numbers = new StreamNumberRegistry();
        assertThat(numbers.allocate()).isZero();
        assertThat(numbers.allocate()).isEqualTo(1);
        assertThat(numbers.isFree(5)).isTrue();
        numbers.use(5);
        assertThat(numbers.isFree(5)).isFalse();
        assertThat(numbers.isFree(-1)).isFalse();
        assertThat(numbers.isFree(StreamNumberRegistry.LIMIT)).isFalse();
    }

    @Test
    void sideThatAsksIsDoneWhenItHasHeardClosedAndHasEverything() {
        CloseProgress progress = new CloseProgress();
        progress.onCloseSent();
        assertThat(progress.isComplete(0)).isFalse();
        progress.onClosedHeard();
        assertThat(progress.isComplete(1)).isFalse();
        assertThat(progress.isComplete(0)).isTrue();
        assertThat(progress.takeClosedDue(0)).isFalse();
    }

    @Test
    void sideThatIsAskedSaysClosedOnceWhenItHasEverything() {
        CloseProgress progress = new CloseProgress();
        progress.onCloseHeard();
        assertThat(progress.takeClosedDue(2)).isFalse();
        assertThat(progress.takeClosedDue(0)).isTrue();
        assertThat(progress.takeClosedDue(0)).isFalse();
        assertThat(progress.isComplete(0)).isFalse();
    }

    @Test
    void twoSidesThatAskAtOnceBothFinish() {
        CloseProgress progress = new CloseProgress();
        progress.onCloseSent();
        progress.onCloseHeard();
        progress.onClosedHeard();
        assertThat(progress.isComplete(0)).isFalse();
        assertThat(progress.takeClosedDue(0)).isTrue();
        assertThat(progress.isComplete(0)).isTrue();
    }
}
