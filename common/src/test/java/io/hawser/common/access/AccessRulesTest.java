package io.hawser.common.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.common.config.ConfigException;
import io.hawser.common.model.NodeId;
import io.hawser.common.model.Topic;
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
    void aFileIsReadAgainWhenItChangesAndOneWithAnErrorLeavesTheRulesOfBefore(@TempDir Path directory)
            throws Exception {
        Path file = Files.writeString(directory.resolve("acl"), "agent-b subscribe site-b\n");
        Identity peer = peer("agent-b", "x");
        AccessFile acl = AccessFile.open(file);
        assertThat(acl.refresh()).isFalse();

        write(file, "agent-b subscribe\n", 1);
        assertThat(acl.refresh()).isFalse();
        assertThat(acl.problem())
                .hasValueSatisfying(problem -> assertThat(problem).contains("line 1"));
        assertThat(acl.of(peer).allow(Right.SUBSCRIBE, SITE_B)).isTrue();

        write(file, "agent-b subscribe site-c\n", 2);
        assertThat(acl.refresh()).isTrue();
        assertThat(acl.problem()).isEmpty();
        assertThat(acl.of(peer).allow(Right.SUBSCRIBE, SITE_B)).isFalse();
        assertThatThrownBy(() -> AccessFile.open(directory.resolve("none"))).isInstanceOf(ConfigException.class);
    }

    private static void write(Path file, String text, int second) throws Exception {
        Files.writeString(file, text);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000L * second));
    }
}
