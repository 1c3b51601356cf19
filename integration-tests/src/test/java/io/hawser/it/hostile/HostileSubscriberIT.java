package io.hawser.it.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.HopMessage;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionTerms;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.ServingMode;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.Program;
import io.hawser.core.tls.NodeTls;
import io.hawser.core.tls.Role;
import io.hawser.core.wire.SessionMessage;
import io.hawser.it.harness.CommandRun;
import io.hawser.it.harness.Curl;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A node with a valid certificate wants subscriptions of others, and their readers. */
class HostileSubscriberIT extends HostileScenario {
    private static final int HOP = 1;
    private static final String MALLORY = "agent-b:mallory subscribe " + ProcessChain.TOPIC + "\n";

    private static boolean isRefused(RawNode node, ErrorCode code) {
        return node.heard().stream()
                .anyMatch(message -> message instanceof SessionMessage.NotSubscribed not
                        && not.refusal().code() == code);
    }

    private static boolean isSubscribed(RawNode node) {
        return node.heard().contains(new SessionMessage.Subscribed(HOP));
    }

    @Test
    void doesNotGetTheSubscriptionOfAnotherCertificate() throws Exception {
        startAll(MALLORY);
        upload(sample("before", MIB, 1), "before");
        awaitDelivered(directory.resolve("before"), "before");
        chain.stop(Part.AGENT_B);
        Path secret = sample("secret", MIB, 2);
        upload(secret, "secret");

        try (RawNode mallory = raw(Role.AGENT_B, "mallory")) {
            mallory.subscribe(HOP, ProcessChain.SUBSCRIPTION, ProcessChain.TOPIC, ServingMode.NONE);
            await("an answer").until(() -> isRefused(mallory, ErrorCode.NOT_ALLOWED) || isSubscribed(mallory));
            assertThat(isSubscribed(mallory)).isFalse();
            mallory.awaitHeard();
            assertThat(mallory.heard(HopMessage.Open.class)).isEmpty();
        }
        awaitAudited(
                "the refusal",
                line -> line.contains("\"who\":\"agent-b:mallory\",\"what\":\"subscribe\"")
                        && line.contains("belongs to another certificate"));
        chain.start(Part.AGENT_B);
        awaitDelivered(secret, "secret");
        assertHonestIsServed("honest");
    }

    @Test
    void getsItWhenAnOperatorHasReleasedIt() throws Exception {
        startAll(MALLORY);
        assertHonestIsServed("honest");
        chain.stop(Part.AGENT_B);

        String admin = chain.admin(Part.BROKER).orElseThrow().toString();
        CommandRun.of("subscriptions", "release", ProcessChain.SUBSCRIPTION, "--admin", admin)
                .succeeded();
        awaitAudited("the release", line -> line.contains("/subscriptions/release"));
        try (RawNode next = raw(Role.AGENT_B, "mallory")) {
            next.subscribe(HOP, ProcessChain.SUBSCRIPTION, ProcessChain.TOPIC, ServingMode.NONE);
            await("SUBSCRIBED").until(() -> isSubscribed(next));
            assertThat(CommandRun.of("subscriptions", "list", "--admin", admin)
                            .succeeded()
                            .out())
                    .contains("owned by CN=mallory,OU=agent-b");
        }
    }

    @Test
    void joinsNoGroupOfOthersWithoutTheRight() throws Exception {
        configure(MALLORY);
        chain.with(Part.AGENT_B, "--member", "w1").startAll();

        try (RawNode mallory = raw(Role.AGENT_B, "mallory")) {
            mallory.send(member());
            await("an answer").until(() -> isRefused(mallory, ErrorCode.NOT_ALLOWED) || isSubscribed(mallory));
            assertThat(isSubscribed(mallory)).isFalse();
        }
        awaitAudited("join", line -> line.contains("\"who\":\"agent-b:mallory\",\"what\":\"join\""));
        rules("agent-b:mallory subscribe,join " + ProcessChain.TOPIC + "\n");
        NodeTls tls = keysOf(Role.AGENT_B, "mallory");
        NodeId node = newNode();
        await("the right").until(() -> {
            try (RawNode member = raw(Role.AGENT_B, tls, node)) { // its rights are those of when its session began
                member.send(member());
                await("an answer")
                        .until(() ->
                                isSubscribed(member) || isRefused(member, ErrorCode.NOT_ALLOWED) || !member.isOpen());
                return isSubscribed(member);
            }
        });
    }

    @Test
    void answersNoReadersWithoutTheRightNorBeforeALongerStandingOwner() throws Exception {
        startAll(MALLORY);
        Path source = sample("true", MIB, 3);
        upload(source, "true");
        awaitDelivered(source, "true");

        try (RawNode mallory = raw(Role.AGENT_B, "mallory")) {
            mallory.subscribe(HOP, "aaa", ProcessChain.TOPIC, ServingMode.SERVES);
            await("NOT_SERVING")
                    .until(() -> mallory.heard().stream().anyMatch(SessionMessage.NotServing.class::isInstance));
            assertThat(isSubscribed(mallory)).isTrue();
            assertReadersGet(source, mallory);
        }
        awaitAudited("serve", line -> line.contains("\"who\":\"agent-b:mallory\",\"what\":\"serve\""));

        rules("agent-b:mallory subscribe,serve " + ProcessChain.TOPIC + "\n");
        NodeTls tls = keysOf(Role.AGENT_B, "mallory");
        await("the right").until(() -> {
            try (RawNode mallory = raw(Role.AGENT_B, tls, newNode())) {
                mallory.subscribe(HOP, "aaa", ProcessChain.TOPIC, ServingMode.SERVES);
                await("an answer").until(() -> isSubscribed(mallory) || !mallory.isOpen());
                mallory.awaitHeard();
                if (mallory.heard().stream().anyMatch(SessionMessage.NotServing.class::isInstance)) {
                    return false;
                }
                assertReadersGet(source, mallory);
                return true;
            }
        });
    }

    /** What waits in its streams is in memory that the broker has for all. */
    @Test
    @Invariant({InvariantName.BOUNDED_MEMORY, InvariantName.NO_SILENT_STOP})
    void consumerThatStopsReadingItsStreamsHoldsUpNobody() throws Exception {
        configure(MALLORY);
        chain.with(Part.BROKER, "--session-silence", "1h").startAll();
        assertHonestIsServed("before");
        try (RawNode mallory = rawPatient(Role.AGENT_B, "mallory")) {
            mallory.subscribe(HOP, "hers", ProcessChain.TOPIC, ServingMode.NONE);
            await("SUBSCRIBED").until(() -> isSubscribed(mallory));
            mallory.send(HOP, new HopMessage.Credit(1L << 40));

            Path live = sample("live", 200 * MIB, 5);
            try (Curl upload = Curl.upload(chain.ftp(), live, "live")) {
                await("packets").until(() -> mallory.heardCount() > 100);
                mallory.stopReading();
                assertThat(upload.await(LIMIT)).as(upload.complaints()).isZero();
            }
            awaitDelivered(live, "live");

            chain.stop(Part.AGENT_B);
            Path late = sample("late", 64 * MIB, 6);
            upload(late, "late");
            chain.start(Part.AGENT_B);
            awaitDelivered(late, "late");
            assertThat(mallory.isOpen()).isTrue();
        }
    }

    private void assertReadersGet(Path source, RawNode mallory) throws Exception {
        Path got = directory.resolve("got");
        Files.deleteIfExists(got);
        Program.run(directory, "curl", "-sS", "-o", "got", "ftp://" + chain.ftp() + "/true")
                .succeeded();
        assertThat(got).hasSameBinaryContentAs(source);
        assertThat(mallory.heard()).noneMatch(SessionMessage.Ask.class::isInstance);
    }

    private static SessionMessage member() {
        return new SessionMessage.Subscribe(
                HOP,
                ProcessChain.SUBSCRIPTION,
                new Topic(ProcessChain.TOPIC),
                StartAt.NOW,
                AckLevel.DURABLE,
                ServingMode.NONE,
                SubscriptionTerms.NONE.withMember(Optional.of("w2")).toMap());
    }
}
