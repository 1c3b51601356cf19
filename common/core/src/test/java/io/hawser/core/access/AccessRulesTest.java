package io.hawser.core.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hawser.core.config.ConfigException;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Topic;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessRulesTest {
    private static final NodeId NODE = new NodeId(1, 2);
    private static final Topic SITE_B = new Topic("site-b");

    private static Identity peer(String role, String name) {
        return new Identity("CN=" + name + ",OU=" + role, role, name, null, null);
    }

    @Test
    void linesOfARoleANameAndEverybodyAddUp() {
        AccessRules rules = AccessRules.parse("""
                # who          what          where
                agent-a:berlin publish,list  site-b site-c.*
                agent-a        read          site-b # a remark
                *              list          open
                """);
        Grants berlin = rules.of(peer("agent-a", "berlin"));
        assertThat(berlin.allow(Right.PUBLISH, SITE_B)).isTrue();
        assertThat(berlin.allow(Right.PUBLISH, new Topic("site-c.1"))).isTrue();
        assertThat(berlin.allow(Right.PUBLISH, new Topic("site-d"))).isFalse();
        assertThat(berlin.allow(Right.READ, SITE_B)).isTrue();
        assertThat(berlin.allow(Right.LIST, new Topic("open"))).isTrue();
        Grants paris = rules.of(peer("agent-a", "paris"));
        assertThat(paris.allow(Right.PUBLISH, SITE_B)).isFalse();
        assertThat(paris.allow(Right.READ, SITE_B)).isTrue();
        assertThat(rules.of(peer("agent-b", "berlin")).allow(Right.READ, SITE_B))
                .isFalse();
    }

    @Test
    void quotasAreLinesToo() {
        AccessRules rules = AccessRules.parse("""
                agent-a:berlin publish                      site-b
                agent-a:berlin bytes=50GiB,transfers=1000   site-b site-c.*
                agent-a        transfers=7                  *
                """);
        assertThat(rules.quotas())
                .containsExactly(
                        new Quota("agent-a:berlin", 50L << 30, 1000, java.util.List.of("site-b", "site-c.*")),
                        new Quota("agent-a", Quota.NO_LIMIT, 7, java.util.List.of("*")));
        Quota berlin = rules.quotas().get(0);
        assertThat(berlin.name()).isEqualTo("agent-a:berlin on site-b,site-c.*");
        assertThat(berlin.limits()).isEqualTo("53,687,091,200 bytes and 1,000 transfers");
        assertThat(berlin.covers(peer("agent-a", "berlin"), new Topic("site-c.1")))
                .isTrue();
        assertThat(berlin.covers(peer("agent-a", "berlin"), new Topic("site-d")))
                .isFalse();
        assertThat(berlin.covers(peer("agent-a", "paris"), SITE_B)).isFalse();
        assertThat(rules.quotas().get(1).covers(peer("agent-a", "paris"), SITE_B))
                .isTrue();
        assertThat(rules.of(peer("agent-a", "paris")).lines())
                .as("a quota gives no right")
                .isEmpty();
    }

    @Test
    void anErrorInAQuotaNamesItsLine() {
        assertThatThrownBy(() -> AccessRules.parse("a bytes=5x b"))
                .hasMessageContaining("line 1: '5x' has the unknown");
        assertThatThrownBy(() -> AccessRules.parse("a byte=5 b")).hasMessageContaining("line 1: 'byte=5' is no quota");
        assertThatThrownBy(() -> AccessRules.parse("a bytes=5,bytes=6 b")).hasMessageContaining("is no quota");
        assertThatThrownBy(() -> AccessRules.parse("a transfers=0 b")).hasMessageContaining("would let nothing in");
        assertThatThrownBy(() -> AccessRules.parse("a transfers=-1 b")).hasMessageContaining("'-1' is not a number");
        assertThatThrownBy(() -> AccessRules.parse("a bytes=5 b/c")).hasMessageContaining("line 1: a topic is");
        assertThatThrownBy(() -> AccessRules.parse("a bytes=5 b\na transfers=6 b"))
                .hasMessageContaining("line 2: there is a quota for a on b already");
    }

    @Test
    void anErrorNamesItsLine() {
        assertThatThrownBy(() -> AccessRules.parse("agent-a publish site-b\nagent-b subsribe site-b"))
                .hasMessageContaining("line 2: 'subsribe' is no right");
        assertThatThrownBy(() -> AccessRules.parse("agent-a publish")).hasMessageContaining("line 1: a line is WHO");
        assertThatThrownBy(() -> AccessRules.parse("agent-a all a/b")).hasMessageContaining("line 1: a topic is");
        assertThatThrownBy(() -> AccessRules.parse("a b: all *")).hasMessageContaining("line 1");
    }

    @Test
    void repliesAreForTheNodeThatAskedAndFromThoseWhoTakeRequests() {
        Access consumer = new Access(
                peer("client", "c"),
                new Grants(java.util.List.of(Grants.line("subscribe", java.util.List.of("site-b")))));
        Access publisher = new Access(
                peer("client", "p"), new Grants(java.util.List.of(Grants.line("publish", java.util.List.of("*")))));
        assertThat(publisher.allows(Right.SUBSCRIBE, Topic.repliesTo(NODE), NODE))
                .isTrue();
        assertThat(publisher.allows(Right.SUBSCRIBE, Topic.repliesTo(new NodeId(3, 4)), NODE))
                .isFalse();
        assertThat(consumer.allows(Right.PUBLISH, Topic.repliesTo(new NodeId(3, 4)), NODE))
                .isTrue();
        assertThat(publisher.allows(Right.PUBLISH, Topic.repliesTo(new NodeId(3, 4)), NODE))
                .isFalse();
    }

    @Test
    void aChangedFileIsReadAgainAndAnErrorKeepsThePreviousRules(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("acl"), "agent-b subscribe site-b\n");
        Identity peer = peer("agent-b", "x");
        ReloadingAccessFile acl = ReloadingAccessFile.open(file);

        write(file, "agent-b subscribe\n", 1);
        await().untilAsserted(() -> {
            assertThat(acl.generation()).isZero();
            assertThat(acl.problem())
                    .hasValueSatisfying(problem -> assertThat(problem).contains("line 1"));
        });
        assertThat(acl.rules().of(peer).allow(Right.SUBSCRIBE, SITE_B)).isTrue();

        write(file, "agent-b subscribe site-c\n", 2);
        await().until(() -> acl.generation() > 0 && acl.rules().of(peer).allow(Right.SUBSCRIBE, new Topic("site-c")));
        assertThat(acl.problem()).isEmpty();
        assertThat(acl.rules().of(peer).allow(Right.SUBSCRIBE, SITE_B)).isFalse();
        assertThatThrownBy(() -> ReloadingAccessFile.open(directory.resolve("none")))
                .isInstanceOf(ConfigException.class);
    }

    private static void write(Path file, String text, int second) throws Exception {
        Files.writeString(file, text);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000L * second));
    }
}
