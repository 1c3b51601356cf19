package io.hawser.broker.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.access.PrincipalLimits;
import io.hawser.core.access.PrincipalUse;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.Answer;
import io.hawser.core.remote.Question;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.remote.RemoteFiles;
import io.hawser.core.remote.ServingMode;
import io.hawser.core.remote.UnlimitedCalls;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.RecordingCallLink;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CallRelayTest {
    private static final Topic TOPIC = new Topic("site-b");
    private static final RemoteFile FILE = new RemoteFile("f", RemoteFile.Kind.FILE, 4, 0, 0644, "v1");
    private static final Answer BLOCK = new Answer.OfBlock(FILE);
    private static final Question STAT = new Question.Stat("f");
    private static final Question READ = new Question.Read("f", "", 0, 4);
    private static final byte[] BYTES = {1, 2, 3, 4};

    private final Queue<Runnable> posted = new ArrayDeque<>();
    private boolean complete = true;
    private final FragmentBufferPool memory = new FragmentBufferPool(4096, 4);
    private final CallRelay relay = new CallRelay(memory, posted::add, topic -> complete);
    private final RecordingCallLink asker = new RecordingCallLink();
    private final RecordingCallLink other = new RecordingCallLink();
    private final RecordingCallLink server = new RecordingCallLink();

    @BeforeEach
    void connect() {
        relay.admit(asker, new UnlimitedCalls(), (topic, question) -> null);
        relay.admit(other, new UnlimitedCalls(), (topic, question) -> null);
        relay.connected("site-b", TOPIC, new CallServerCandidate(ServingMode.SERVES, true, 0), server);
    }

    private void run() {
        while (!posted.isEmpty()) {
            posted.remove().run();
        }
    }

    private ErrorCode codeOf(RecordingCallLink link, long number) {
        Refusal refusal = link.refused.get(number);
        return refusal == null ? null : refusal.code();
    }

    @Test
    void questionsAndAnswersFindTheirWay() {
        relay.onAsked(asker, 7, TOPIC, STAT);
        relay.onAsked(other, 7, TOPIC, READ);
        relay.onAnswered(server, server.number(0), new Answer.OfFile(FILE));
        server.deliver(relay, 1, BLOCK, BYTES);

        assertThat(asker.answered).containsEntry(7L, new Answer.OfFile(FILE));
        assertThat(other.payloads.get(7L).payload(0, 4)).isEqualTo(ByteBuffer.wrap(BYTES));
        assertThat(memory.available()).isEqualTo(3);
        other.payloadsLeave();
        assertThat(memory.available()).isEqualTo(4);
        assertThat(relay.underWay()).isZero();
    }

    @Test
    void refusalsGoBackToTheAsker() {
        relay.onAsked(asker, 1, TOPIC, READ);
        relay.onRefused(server, server.number(0), new Refusal(ErrorCode.NOT_FOUND, "No such file or directory"));

        assertThat(codeOf(asker, 1)).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(memory.available()).isEqualTo(4);
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void aSessionThatWasNotAdmittedAsksNothing() {
        RecordingCallLink early = new RecordingCallLink();
        relay.onUp(early);
        relay.onAsked(early, 1, TOPIC, READ);

        assertThat(codeOf(early, 1)).isEqualTo(ErrorCode.NOT_ALLOWED);
        assertThat(server.asked).isEmpty();
        assertThat(memory.available()).isEqualTo(4);
    }

    @Test
    void nobodyWhoServesIsUnreachableAndOneWhoDoesNotIsNotAllowed() {
        relay.onAsked(asker, 1, new Topic("unknown"), STAT);
        relay.connected("closed", new Topic("closed"), new CallServerCandidate(ServingMode.CLOSED, true, 0), server);
        relay.onAsked(asker, 2, new Topic("closed"), STAT);
        relay.onDown(server);
        relay.onAsked(asker, 3, TOPIC, READ);
        relay.onAsked(asker, 4, new Topic("closed"), STAT);

        assertThat(codeOf(asker, 1)).isEqualTo(ErrorCode.UNREACHABLE);
        assertThat(codeOf(asker, 2)).isEqualTo(ErrorCode.NOT_ALLOWED);
        assertThat(codeOf(asker, 3)).isEqualTo(ErrorCode.UNREACHABLE);
        assertThat(codeOf(asker, 4)).isEqualTo(ErrorCode.UNREACHABLE);
        assertThat(memory.available()).isEqualTo(4);
    }

    @Test
    void whereOnlyApplicationsCanComeThereAreNoFiles() {
        Topic app = new Topic("app");
        relay.connected("app", app, new CallServerCandidate(ServingMode.NONE, true, 0), other);
        relay.onAsked(asker, 1, app, STAT);
        assertThat(asker.refused.get(1L)).isEqualTo(new Refusal(ErrorCode.NOT_ALLOWED, RemoteFiles.APPLICATION));

        complete = false; // a subscription whose consumer is away may be a directory's
        relay.onAsked(asker, 2, app, STAT);
        assertThat(codeOf(asker, 2)).isEqualTo(ErrorCode.UNREACHABLE);
        complete = true;
        relay.connected("b", app, new CallServerCandidate(ServingMode.SERVES, true, 0), server);
        relay.onAsked(asker, 3, app, STAT);
        assertThat(server.asked).hasSize(1);
        relay.onDown(server);
        relay.onAsked(asker, 4, app, STAT);
        assertThat(codeOf(asker, 4)).isEqualTo(ErrorCode.UNREACHABLE);
        relay.left("b", app);
        relay.connected("c", app, new CallServerCandidate(ServingMode.CLOSED, true, 0), asker);
        relay.onAsked(asker, 5, app, STAT);
        assertThat(asker.refused.get(5L).detail()).contains("shows no files");
        relay.left("c", app);
        relay.onDown(other);
        relay.onAsked(asker, 6, app, STAT);
        assertThat(codeOf(asker, 6)).isEqualTo(ErrorCode.UNREACHABLE);
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void oneThatComesLaterTakesNoReadersFromTheLongestStandingOwner() {
        relay.connected("aaa", TOPIC, new CallServerCandidate(ServingMode.SERVES, true, 7), other);
        relay.onAsked(asker, 1, TOPIC, STAT);
        assertThat(server.asked).hasSize(1);
        assertThat(other.asked).isEmpty();

        relay.onDown(server);
        relay.onAsked(asker, 2, TOPIC, STAT);
        assertThat(other.asked).hasSize(1);
        relay.connected("site-b", TOPIC, new CallServerCandidate(ServingMode.SERVES, true, 6), server);
        relay.onAsked(asker, 3, TOPIC, STAT);
        assertThat(server.asked).hasSize(2);
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void whatOneWithoutTheRightSaysOfTheFilesDoesNotCount() {
        Topic topic = new Topic("other");
        relay.connected("a", topic, new CallServerCandidate(ServingMode.SERVES, false, 0), other);
        relay.connected("b", topic, new CallServerCandidate(ServingMode.CLOSED, false, 0), asker);
        complete = false; // the one that may serve is away
        relay.onAsked(asker, 1, topic, STAT);
        assertThat(other.asked).isEmpty();
        assertThat(codeOf(asker, 1)).isEqualTo(ErrorCode.UNREACHABLE);

        complete = true;
        relay.onAsked(asker, 2, topic, STAT);
        assertThat(asker.refused.get(2L)).isEqualTo(new Refusal(ErrorCode.NOT_ALLOWED, RemoteFiles.CLOSED));
        relay.connected("c", topic, new CallServerCandidate(ServingMode.SERVES, true, 9), server);
        relay.onAsked(asker, 3, topic, STAT);
        assertThat(server.asked).hasSize(1);
    }

    @Test
    void ofSeveralOfOneAgeTheFirstByNameAnswersAndAnotherWhenItGoes() {
        relay.connected("b-closed", TOPIC, new CallServerCandidate(ServingMode.CLOSED, true, 0), other);
        relay.connected("a-first", TOPIC, new CallServerCandidate(ServingMode.SERVES, true, 0), other);
        relay.onAsked(asker, 1, TOPIC, STAT);
        relay.onDown(other);
        relay.onAsked(asker, 2, TOPIC, STAT);

        assertThat(other.asked).hasSize(1);
        assertThat(codeOf(asker, 1)).isEqualTo(ErrorCode.UNREACHABLE);
        assertThat(server.asked).hasSize(1);
    }

    @Test
    void aSubscriptionThatLeftForGoodAnswersNoMore() {
        relay.left("site-b", TOPIC);
        relay.onAsked(asker, 1, TOPIC, STAT);

        assertThat(server.asked).isEmpty();
        assertThat(codeOf(asker, 1)).isEqualTo(ErrorCode.UNREACHABLE);
    }

    @Test
    void whenTheAnsweringSessionDiesTheAskerIsTold() {
        relay.onAsked(asker, 1, TOPIC, READ);
        relay.onDown(server);

        assertThat(codeOf(asker, 1)).isEqualTo(ErrorCode.UNREACHABLE);
        assertThat(memory.available()).isEqualTo(4);
        assertThat(server.deliver(relay, 0, BLOCK, BYTES)).isFalse();
    }

    @Test
    void whenTheAskingSessionDiesItsQuestionsAreCancelled() {
        for (int i = 0; i < 6; i++) {
            relay.onAsked(asker, i, TOPIC, READ);
        }
        relay.onDown(asker);
        run();

        assertThat(server.cancelled).hasSize(4);
        assertThat(relay.underWay() + relay.waiting()).isZero();
        assertThat(memory.available()).isEqualTo(4);
        assertThat(server.asked).hasSize(4);
    }

    @Test
    void readsTakeNoMoreThanTheirMemoryAndAskersTakeTurns() {
        for (int i = 0; i < 10; i++) {
            relay.onAsked(asker, i, TOPIC, new Question.Read("a", "", i, 1));
        }
        relay.onAsked(other, 1, TOPIC, new Question.Read("b", "", 0, 1));
        relay.onAsked(asker, 99, TOPIC, STAT);
        assertThat(server.asked).hasSize(5); // four reads, and the stat needs no memory

        server.deliver(relay, 0, BLOCK, BYTES);
        server.deliver(relay, 1, BLOCK, BYTES);
        asker.payloadsLeave();
        run();

        assertThat(server.asked).hasSize(7);
        assertThat(server.asked.subList(5, 7))
                .extracting(asked -> asked.question().name())
                .containsExactlyInAnyOrder("a", "b");
    }

    @Test
    @Invariant(InvariantName.NO_SILENT_STOP)
    void onePrincipalThatTakesNoAnswersLeavesMemoryToOthers() {
        PrincipalUse mallory = new PrincipalUse("mallory", PrincipalLimits.DEFAULT, 1, () -> 0);
        RecordingCallLink[] greedy = {new RecordingCallLink(), new RecordingCallLink()};
        for (RecordingCallLink link : greedy) {
            relay.admit(link, mallory, (topic, question) -> null);
            for (int i = 0; i < 10; i++) {
                relay.onAsked(link, i, TOPIC, READ);
            }
        }
        for (int n = 0; n < server.asked.size(); n++) {
            server.deliver(relay, n, BLOCK, BYTES);
            run();
        }
        relay.onAsked(other, 1, TOPIC, READ);
        assertThat(server.deliver(relay, server.asked.size() - 1, BLOCK, BYTES)).isTrue();
        assertThat(other.answered).containsKey(1L);

        for (RecordingCallLink link : greedy) {
            relay.onDown(link);
            link.payloadsLeave();
        }
        other.payloadsLeave();
        run();
        assertThat(memory.available()).isEqualTo(4);
        assertThat(mallory.used(PrincipalLimits.Kind.CALLS)).isZero();
        for (int i = 0; i < 3; i++) {
            assertThat(mallory.tryTakeAnswer(3)).isTrue();
        }
    }

    @Test
    @Invariant(InvariantName.AUTHORISED_BEFORE_MEMORY)
    void questionsOfAllSessionsOfAPrincipalAreBounded() {
        PrincipalUse mallory = new PrincipalUse("mallory", PrincipalLimits.DEFAULT, 1, () -> 0);
        for (int session = 0; session < 10; session++) {
            RecordingCallLink link = new RecordingCallLink();
            relay.admit(link, mallory, (topic, question) -> null);
            for (int i = 0; i < 1000; i++) {
                relay.onAsked(link, i, TOPIC, STAT);
            }
            if (session == 9) {
                assertThat(codeOf(link, 999)).isEqualTo(ErrorCode.NO_SPACE);
            }
        }
        assertThat(mallory.used(PrincipalLimits.Kind.CALLS)).isEqualTo(4096);
        relay.onDown(server);
        run();
        assertThat(mallory.used(PrincipalLimits.Kind.CALLS)).isZero();
    }

    @Test
    void questionsOfOneSessionAreBounded() {
        for (int i = 0; i < 2000; i++) {
            relay.onAsked(asker, i, TOPIC, STAT);
        }
        assertThat(server.asked).hasSize(64);
        assertThat(asker.refused).hasSize(2000 - 1024);
        relay.onAnswered(server, server.number(0), new Answer.OfFile(FILE));
        run();

        assertThat(server.asked).hasSize(65);
    }

    @Test
    void aCancelledQuestionIsCancelledThereAndItsAnswerDropped() {
        relay.onAsked(asker, 1, TOPIC, READ);
        relay.onCancelled(asker, 1);
        relay.onCancelled(asker, 1);

        assertThat(server.cancelled).containsExactly(server.number(0));
        assertThat(server.deliver(relay, 0, BLOCK, BYTES)).isFalse();
        assertThat(asker.answered).isEmpty();
        assertThat(memory.available()).isEqualTo(4);
    }

    @Test
    void aDamagedAnswerIsAskedAgainHere() {
        relay.onAsked(asker, 1, TOPIC, READ);
        server.deliverDamaged(relay, 0, BLOCK, BYTES);
        run();
        assertThat(server.asked).hasSize(2);
        assertThat(server.damaged).containsExactly(READ);
        server.deliver(relay, 1, BLOCK, BYTES);

        assertThat(asker.payloads.get(1L).payload(0, 4)).isEqualTo(ByteBuffer.wrap(BYTES));
        asker.payloadsLeave();
        assertThat(memory.available()).isEqualTo(4);
    }

    @Test
    void anAnswerThatIsAlwaysDamagedEndsInARefusal() {
        relay.onAsked(asker, 1, TOPIC, READ);
        for (int n = 0; asker.refused.isEmpty(); n++) {
            assertThat(server.deliverDamaged(relay, n, BLOCK, BYTES)).isTrue();
            run();
            assertThat(n).isLessThan(20);
        }

        assertThat(codeOf(asker, 1)).isEqualTo(ErrorCode.STORAGE_FAILED);
        assertThat(memory.available()).isEqualTo(4);
    }

    @Test
    void answersOfWhoWasNotAskedHaveNoEffect() {
        relay.onAsked(asker, 1, TOPIC, STAT);
        relay.onAnswered(other, server.number(0), new Answer.OfFile(FILE));
        relay.onRefused(other, server.number(0), new Refusal(ErrorCode.NOT_FOUND, ""));
        relay.onAsked(asker, 1, TOPIC, STAT);

        assertThat(asker.answered).isEmpty();
        assertThat(codeOf(asker, 1)).isEqualTo(ErrorCode.MALFORMED);
        assertThat(server.asked).hasSize(1);
    }

    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void nothingIsAskedOfAServerThatDoesNotRead() {
        server.backedUp = true;
        for (int i = 0; i < 100; i++) {
            relay.onAsked(asker, i, TOPIC, i % 2 == 0 ? STAT : READ);
            relay.onCancelled(asker, i);
            run();
        }

        assertThat(server.asked).isEmpty();
        assertThat(codeOf(asker, 1)).isEqualTo(ErrorCode.UNREACHABLE);
        assertThat(memory.available()).isEqualTo(4);
    }

    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void ofManyThatAreAwayTheOnesThatCameLastAreNotRemembered() {
        for (int i = 1; i <= 1000; i++) {
            RecordingCallLink link = new RecordingCallLink();
            relay.connected("g/m" + i, TOPIC, new CallServerCandidate(ServingMode.SERVES, true, i), link);
            relay.onDown(link);
        }

        relay.left("site-b", TOPIC);
        relay.connected("closed", TOPIC, new CallServerCandidate(ServingMode.CLOSED, true, 0), server);
        for (int i = 1; i <= CallServerSelector.MOST_AWAY; i++) {
            relay.onAsked(asker, i, TOPIC, STAT);
            run();
            assertThat(codeOf(asker, i)).isEqualTo(ErrorCode.UNREACHABLE);
            relay.left("g/m" + i, TOPIC);
        }
        relay.onAsked(asker, 0, TOPIC, STAT);
        run();
        assertThat(codeOf(asker, 0)).isEqualTo(ErrorCode.NOT_ALLOWED); // none that serves is waited for
    }

    @Test
    void anotherServerAnswersForOneThatDoesNotRead() {
        relay.connected("site-b-2", TOPIC, new CallServerCandidate(ServingMode.SERVES, true, 1), other);
        server.backedUp = true;
        relay.onAsked(asker, 1, TOPIC, STAT);
        server.backedUp = false;
        relay.onAsked(asker, 2, TOPIC, STAT);

        assertThat(other.asked).hasSize(1);
        assertThat(server.asked).hasSize(1);
    }
}
