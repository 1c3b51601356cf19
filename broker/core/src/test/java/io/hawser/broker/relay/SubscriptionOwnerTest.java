package io.hawser.broker.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.HopLink;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.GroupRoster;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Ownership;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.SubscriptionTerms;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whose a subscription is, and who gets it next. */
class SubscriptionOwnerTest extends RelayFixture {
    private static final Topic TOPIC = new Topic("t");
    private static final NodeId ONE = new NodeId(2, 1);
    private static final NodeId TWO = new NodeId(2, 2);
    private static final long NOW = 1_000_000;

    private final List<Outcome<SubscriptionSpec>> answers = new ArrayList<>();

    SubscriptionOwnerTest() {
        wallMillis = NOW;
    }

    private static SubscriptionSpec spec(NodeId node) {
        return new SubscriptionSpec("s", TOPIC, node, StartAt.NOW, AckLevel.DURABLE);
    }

    private static SubscriptionSpec spec(NodeId node, String subject) {
        return spec(node).with(Ownership.of(subject));
    }

    private static SubscriptionSpec member(String name, NodeId node, String subject) {
        return spec(node, subject).with(SubscriptionTerms.NONE.withMember(Optional.of(name)));
    }

    private Outcome<SubscriptionSpec> subscribe(SubscriptionSpec spec, HopLink link) {
        relay.subscriptions().subscribe(spec, link, answers::add);
        return answer();
    }

    private Outcome<SubscriptionSpec> subscribeAndLeave(SubscriptionSpec spec) {
        SentOn link = new SentOn();
        Outcome<SubscriptionSpec> answer = subscribe(spec, link);
        relay.subscriptions().unlink(spec.name(), link);
        return answer;
    }

    private Outcome<SubscriptionSpec> answer() {
        store.force();
        runLoop();
        return answers.get(answers.size() - 1);
    }

    private Outcome<SubscriptionSpec> release(String name) {
        relay.subscriptions().release(name, answers::add);
        return answer();
    }

    private static void assertBelongsTo(String owner, Outcome<SubscriptionSpec> outcome) {
        assertThat(outcome.refusal()).isNotNull().satisfies(refusal -> {
            assertThat(refusal.code()).isEqualTo(ErrorCode.NOT_ALLOWED);
            assertThat(refusal.detail()).contains("belongs to " + owner, "hawser subscriptions release s");
        });
    }

    @Test
    void anotherNodeDoesNotGetTheSubscriptionOfOneThatIsAway() {
        assertThat(subscribeAndLeave(spec(ONE)).isRefused()).isFalse();

        assertBelongsTo("node " + ONE, subscribeAndLeave(spec(TWO)));
        assertThat(subscribeAndLeave(spec(ONE)).isRefused()).isFalse();
    }

    @Test
    void theOwnerIsTheCertificatesSubjectWhateverTheNode() {
        subscribeAndLeave(spec(ONE, "CN=one"));

        assertBelongsTo("another certificate", subscribeAndLeave(spec(TWO, "CN=two")));
        SubscriptionSpec owned = subscribeAndLeave(spec(TWO, "CN=one")).get();
        assertThat(owned.owner()).isEqualTo(TWO);
        assertThat(owned.ownership()).isEqualTo(new Ownership("CN=one", NOW, false));
    }

    @Test
    void aNodeOfTheSameCertificateDoesNotPushOutOneThatIsThere() {
        subscribe(spec(ONE, "CN=one"), new SentOn());

        assertThat(subscribe(spec(TWO, "CN=one"), new SentOn()).refusal())
                .extracting(Refusal::code)
                .isEqualTo(ErrorCode.SUBSCRIPTION_BUSY);
    }

    @Test
    void theRecordOfAnEarlierVersionIsBoundWhenItsNodeComesWithItsCertificate() {
        relay.subscriptions().restore(spec(ONE));

        assertBelongsTo("node " + ONE, subscribeAndLeave(spec(TWO, "CN=two")));
        assertThat(subscribeAndLeave(spec(ONE, "CN=one")).get().ownership())
                .isEqualTo(new Ownership("CN=one", 0, false));
        assertThat(store.appended)
                .last()
                .isEqualTo(new RelayRecord.Subscribed(spec(ONE).with(new Ownership("CN=one", 0, false)), false));
        assertBelongsTo("another certificate", subscribeAndLeave(spec(TWO, "CN=two")));
    }

    @Test
    void withoutCertificatesForAWhileTheOwnerStaysTheSubject() {
        subscribeAndLeave(spec(ONE, "CN=one"));

        assertThat(subscribeAndLeave(spec(ONE)).get().ownership().subject()).isEqualTo("CN=one");
        assertBelongsTo("another certificate", subscribeAndLeave(spec(TWO)));
    }

    @Test
    void whatAnOperatorReleasesTheNextOneOwns() {
        subscribeAndLeave(spec(ONE, "CN=one"));
        int before = store.appended.size();

        assertThat(release("s").get().ownership().released()).isTrue();
        assertThat(store.appended).hasSize(before + 1);

        SubscriptionSpec owned = subscribeAndLeave(spec(TWO, "CN=two")).get();
        assertThat(owned.ownership()).isEqualTo(new Ownership("CN=two", NOW, false));
        assertBelongsTo("another certificate", subscribeAndLeave(spec(ONE, "CN=one")));
    }

    @Test
    void aReleaseIsRefusedWhileTheOwnerIsConnectedAndOfAGroupAndOfNothing() {
        SentOn link = new SentOn();
        subscribe(spec(ONE, "CN=one"), link);

        assertThat(release("s").refusal()).extracting(Refusal::code).isEqualTo(ErrorCode.SUBSCRIPTION_BUSY);
        assertThat(release("none").refusal()).extracting(Refusal::code).isEqualTo(ErrorCode.NOT_FOUND);
        relay.subscriptions().unlink("s", link);
        relay.subscriptions().unsubscribe("s", answers::add);
        answer();
        subscribeAndLeave(member("w1", ONE, "CN=one"));
        assertThat(release("s").refusal())
                .satisfies(refusal -> assertThat(refusal.detail()).contains("hawser subscriptions lost s MEMBER"));
    }

    @Test
    void aGroupKnowsTheSubjectOfEachMember() {
        subscribeAndLeave(member("w1", ONE, "CN=one"));

        assertThat(relay.subscriptions().wouldJoinOthers(member("w2", TWO, "CN=two")))
                .isTrue();
        assertThat(relay.subscriptions().wouldJoinOthers(member("w2", TWO, "CN=one")))
                .isFalse();
        assertThat(relay.subscriptions().wouldJoinOthers(member("w1", ONE, "CN=one")))
                .isFalse();
        SubscriptionSpec group = subscribeAndLeave(member("w2", TWO, "CN=two")).get();
        assertThat(group.roster().members())
                .containsEntry("w1", new GroupRoster.Member(ONE, "CN=one"))
                .containsEntry("w2", new GroupRoster.Member(TWO, "CN=two"));
        assertThat(group.ownership()).isEqualTo(new Ownership("", NOW, false));
        assertThat(subscribeAndLeave(member("w2", TWO, "CN=three")).refusal())
                .satisfies(refusal -> assertThat(refusal.detail()).contains("another certificate before"));
    }

    @Test
    void theNamesOfReplySubscriptionsAreForThese() {
        SubscriptionSpec squatter =
                new SubscriptionSpec(Topic.repliesTo(TWO).name(), TOPIC, ONE, StartAt.NOW, AckLevel.DURABLE);

        assertThat(subscribeAndLeave(squatter).refusal())
                .extracting(Refusal::code)
                .isEqualTo(ErrorCode.NOT_ALLOWED);
    }

    private void wait(Duration time) {
        steadyNanos += time.toNanos();
        relay.tick(steadyNanos);
    }

    @Test
    void theSubscriptionOfAProgramThatDiedEndsWithItsRepliesAfterADay() {
        Topic replies = Topic.repliesTo(ONE);
        SubscriptionSpec waits =
                new SubscriptionSpec(replies.name(), replies, ONE, StartAt.EARLIEST, AckLevel.CONSUMED);
        SentOn link = new SentOn();
        subscribe(waits, link);
        subscribeAndLeave(spec(TWO));
        wait(Duration.ofDays(7));
        assertThat(relay.subscriptions().names(replies)).isNotEmpty();

        relay.subscriptions().unlink(waits.name(), link);
        wait(Duration.ofDays(1).minusMillis(1));
        assertThat(relay.subscriptions().names(replies)).isNotEmpty();
        wait(Duration.ofMillis(1));
        assertThat(relay.subscriptions().names(replies)).isEmpty();
        assertThat(relay.subscriptions().names(TOPIC)).isNotEmpty();

        RelayRecord.Unsubscribed ended = new RelayRecord.Unsubscribed(waits.name(), replies, NOW);
        assertThat(store.appended).last().isEqualTo(ended);
        TransferKey reply = new TransferKey(TWO, new TransferId(1, 2));
        assertThat(ended.receipt(reply).status()).isEqualTo(ReceiptStatus.EXPIRED);
        assertThat(ended.receipt(reply).reason())
                .contains("the program that waited for replies")
                .contains("is gone");
    }
}
