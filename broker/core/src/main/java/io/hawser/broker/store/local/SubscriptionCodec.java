package io.hawser.broker.store.local;

import io.hawser.core.codec.FieldWriter;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.GroupRoster;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Ownership;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.SubscriptionTerms;
import io.hawser.core.model.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The fields of a subscription in a record's body. */
final class SubscriptionCodec {
    private SubscriptionCodec() {}

    static FieldWriter write(FieldWriter out, SubscriptionSpec spec) {
        out.string(spec.name())
                .string(spec.topic().name())
                .node(spec.owner())
                .u8(spec.startAt().code())
                .u8(spec.ackLevel().code())
                .pairs(spec.terms().toMap());
        writeRoster(out, spec.roster());
        Ownership ownership = spec.ownership();
        return out.string(ownership.subject()).i64(ownership.sinceEpochMillis()).flag(ownership.released());
    }

    private static void writeRoster(FieldWriter out, GroupRoster roster) {
        out.count(roster.members().size());
        roster.members()
                .forEach((name, member) -> out.string(name).node(member.node()).string(member.subject()));
        out.count(roster.lost().size());
        roster.lost().forEach(out::node);
    }

    static SubscriptionSpec read(BodyReader in) {
        String name = in.string();
        String topic = in.string();
        NodeId owner = in.node();
        int startAt = in.u8();
        int ackLevel = in.u8();
        Map<String, String> terms = in.pairs();
        GroupRoster roster = readRoster(in);
        String subject = in.string();
        long sinceMillis = in.i64();
        boolean released = in.flag();
        return BodyReader.checked(
                "subscription",
                () -> new SubscriptionSpec(
                        name,
                        new Topic(topic),
                        owner,
                        StartAt.of(startAt),
                        AckLevel.of(ackLevel),
                        SubscriptionTerms.of(terms),
                        roster,
                        new Ownership(subject, sinceMillis, released)));
    }

    private static GroupRoster readRoster(BodyReader in) {
        TreeMap<String, GroupRoster.Member> members = new TreeMap<>();
        int count = in.count(1 + 2 * Long.BYTES);
        for (int i = 0; i < count; i++) {
            String name = in.string();
            NodeId node = in.node();
            String subject = in.string();
            members.put(name, BodyReader.checked("member", () -> new GroupRoster.Member(node, subject)));
        }
        List<NodeId> lost = new ArrayList<>();
        int lostCount = in.count(2 * Long.BYTES);
        for (int i = 0; i < lostCount; i++) {
            lost.add(in.node());
        }
        return BodyReader.checked("group", () -> new GroupRoster(members, lost));
    }
}
