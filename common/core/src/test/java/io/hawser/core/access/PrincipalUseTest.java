package io.hawser.core.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.access.PrincipalLimits.Kind;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PrincipalUseTest {
    private long nanos;

    private PrincipalUse use(String limits) {
        return new PrincipalUse("agent-a:mallory", PrincipalLimits.of(limits), 32, () -> nanos);
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void buffersAreTakenUpToTheShareAndMayBeTakenAgain() {
        PrincipalUse use = use("buffers=25%");
        for (int i = 0; i < 8; i++) {
            assertThat(use.tryTakeBuffer()).isTrue();
        }
        assertThat(use.tryTakeBuffer()).isFalse();
        use.giveBuffer();
        assertThat(use.tryTakeBuffer()).isTrue();
        assertThat(use.used(Kind.BUFFERS)).isEqualTo(use.most(Kind.BUFFERS)).isEqualTo(8);
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void principalsThatTakeAllSessionsTheyCanLeaveSomeToOthers() {
        int free = 1024;
        for (int principal = 0; principal < 6; principal++) {
            int own = 0;
            while (PrincipalUse.whyNoSession("mallory", own, free, PrincipalLimits.DEFAULT) == null) {
                own++;
                free--;
            }
            assertThat(own).isLessThanOrEqualTo(PrincipalLimits.DEFAULT.most(Kind.SESSIONS));
        }
        assertThat(free).isGreaterThanOrEqualTo(PrincipalUse.FEW_SESSIONS);
        assertThat(PrincipalUse.whyNoSession("honest", 3, free, PrincipalLimits.DEFAULT))
                .isNull();
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void whatIsRefusedTooOftenIsOverTheRate() {
        PrincipalUse use = use("refusals=100");
        use.refused(100);
        assertThat(use.isOverRate()).isFalse();
        use.refused(50);
        assertThat(use.isOverRate()).isTrue();
        assertThat(use.timesOverRate()).isEqualTo(1);

        nanos += TimeUnit.MILLISECONDS.toNanos(510);
        assertThat(use.isOverRate()).isFalse();
        assertThat(use.used(Kind.REFUSALS)).isEqualTo(150);
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void sessionsAreMadeAtARateAfterManyAtOnce() {
        PrincipalUse use = use("connects=2");
        for (int i = 0; i < 20; i++) {
            assertThat(use.mayConnect()).isTrue();
            use.sessionUp();
            use.sessionDown();
        }
        assertThat(use.mayConnect()).isFalse();
        nanos += TimeUnit.MILLISECONDS.toNanos(510);
        assertThat(use.mayConnect()).isTrue();
        use.connectRefused();
        assertThat(use.mayConnect()).as("a refused one counts").isFalse();
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void afterASessionEndedForFaultsTheNextOneWaits() {
        PrincipalUse use = use("connects=20");
        use.sessionUp();
        use.sessionEndedForFaults();
        use.sessionDown();
        assertThat(use.mayConnect()).isFalse();
        nanos += TimeUnit.SECONDS.toNanos(5) + 1;
        assertThat(use.mayConnect()).isTrue();
    }

    @Test
    void thereIsAlwaysOneBuffer() {
        PrincipalUse use = new PrincipalUse("x", PrincipalLimits.of("buffers=1%"), 4, () -> nanos);
        assertThat(use.tryTakeBuffer()).isTrue();
        assertThat(use.tryTakeBuffer()).isFalse();
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void messagesFasterThanAllowedAreOverTheRateUntilTimeHasPassed() {
        PrincipalUse use = use("messages=1000");
        for (int i = 0; i < 1000; i++) {
            use.messageReceived();
            assertThat(use.isOverRate()).isFalse();
        }
        for (int i = 0; i < 100; i++) {
            use.messageReceived();
        }
        assertThat(use.isOverRate()).isTrue();
        assertThat(use.timesOverRate()).isEqualTo(1);

        nanos += TimeUnit.MILLISECONDS.toNanos(99);
        assertThat(use.isOverRate()).isTrue();
        nanos += TimeUnit.MILLISECONDS.toNanos(2);
        assertThat(use.isOverRate()).isFalse();
    }

    @Test
    void silenceSavesUpNoMoreThanTwoSeconds() {
        PrincipalUse use = use("records=10");
        nanos += TimeUnit.HOURS.toNanos(1);
        int taken = 0;
        while (!use.isOverRate()) {
            use.recordWritten();
            taken++;
        }
        assertThat(taken).isLessThanOrEqualTo(2 * 10 + 2);
    }

    @Test
    void refusalsNameTheLimitAndWhatToDo() {
        assertThat(PrincipalUse.whyNoMore("agent-a:m", Kind.SESSIONS, 7, PrincipalLimits.of("sessions=8")))
                .isNull();
        String why = Objects.requireNonNull(
                        PrincipalUse.whyNoMore("agent-a:m", Kind.SESSIONS, 8, PrincipalLimits.of("sessions=8")))
                .detail();
        assertThat(why).contains("agent-a:m has 8 sessions", "sessions= for it in the --acl file");

        PrincipalUse use = use("open=1");
        assertThat(use.tryOpen(1)).isTrue();
        assertThat(use.tryOpen(1)).isFalse();
        assertThat(use.openRefusal()).contains("1 open transfers");
        assertThat(use("subscriptions=2").whyNoSubscription(2)).isNotNull();
    }

    @Test
    void otherLimitsHoldAtOnce() {
        PrincipalUse use = use("open=1");
        use.tryOpen(1);
        use.limits(PrincipalLimits.of("open=2"));
        assertThat(use.tryOpen(1)).isTrue();
        use.closed(1);
        use.closed(1);
        assertThat(use.used(Kind.OPEN)).isZero();
    }

    @Test
    void limitsOfANameOverrideThoseOfItsRoleAndOfAll() {
        AccessRules rules = AccessRules.parse("""
                * sessions=5,messages=50 *
                agent-a sessions=6 *
                agent-a:berlin records=7 *
                agent-a:berlin bytes=1MiB plans
                """);
        PrincipalLimits berlin = rules.limitsOf(new Identity("CN=berlin", "agent-a", "berlin", null, null));
        assertThat(berlin.most(Kind.SESSIONS)).isEqualTo(6);
        assertThat(berlin.most(Kind.MESSAGES)).isEqualTo(50);
        assertThat(berlin.most(Kind.RECORDS)).isEqualTo(7);
        assertThat(rules.limitsOf(Identity.UNKNOWN).most(Kind.SESSIONS)).isEqualTo(5);
        assertThat(rules.quotas()).hasSize(1);
    }

    @Test
    void wrongLinesAreRefusedWithASentence() {
        assertThatThrownBy(() -> AccessRules.parse("agent-a sessions=8 plans"))
                .hasMessageContaining("line 1")
                .hasMessageContaining("not by topic");
        assertThatThrownBy(() -> AccessRules.parse("agent-a sessions=8 *\nagent-a open=8 *"))
                .hasMessageContaining("line 2")
                .hasMessageContaining("limits for agent-a already");
        assertThatThrownBy(() -> AccessRules.parse("agent-a sessions=0 *")).hasMessageContaining("between 1 and");
        assertThatThrownBy(() -> AccessRules.parse("agent-a buffers=101% *")).hasMessageContaining("100%");
        assertThatThrownBy(() -> AccessRules.parse("agent-a sessions=8,bytes=9 *"))
                .hasMessageContaining("lines of their own");
        assertThatThrownBy(() -> AccessRules.parse("agent-a sessions=8,sessions=9 *"))
                .hasMessageContaining("each once");
    }
}
