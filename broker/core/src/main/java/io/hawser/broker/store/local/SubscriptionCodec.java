package io.hawser.broker.store.local;

import io.hawser.core.model.AckLevel;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Ownership;
import io.hawser.core.model.Roster;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.SubscriptionTerms;
import io.hawser.core.model.Topic;
import io.hawser.store.record.FieldWriter;
import io.hawser.store.storage.CorruptRecordException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The fields of a subscription in a record's body, of which later versions have more: what an earlier version could say is written
 * as that version did.
 */
final class SubscriptionCodec {
    private SubscriptionCodec() {}

    /** Begins a body that will hold {@code spec}. */
    static FieldWriter bodyFor(SubscriptionSpec spec) {
        return RecordCodec.bodyOfVersion(version(spec));
    }

    private static int version(SubscriptionSpec spec) {
        boolean subjects = spec.roster().members().values().stream()
                .anyMatch(member -> !member.subject().isEmpty());
        if (subjects || !spec.ownership().equals(Ownership.NONE)) {
            return BodyReader.VERSION;
        }
        if (!spec.roster().equals(Roster.NONE) || spec.terms().priority() != SubscriptionTerms.USUAL_PRIORITY) {
            return BodyReader.WITH_GROUPS;
        }
        return spec.terms().equals(SubscriptionTerms.NONE) ? BodyReader.FIRST_VERSION : BodyReader.WITH_TERMS;
    }

    /** Adds {@code spec} to a body that {@link #bodyFor} began. */
    static FieldWriter write(FieldWriter out, SubscriptionSpec spec) {
        int version = version(spec);
        out.string(spec.name())
                .string(spec.topic().name())
                .node(spec.owner())
                .u8(spec.startAt().code())
                .u8(spec.ackLevel().code());
        if (version >= BodyReader.WITH_TERMS) {
            out.pairs(spec.terms().toMap());
        }
        if (version >= BodyReader.WITH_GROUPS) {
            writeRoster(out, spec.roster(), version);
        }
        if (version >= BodyReader.VERSION) {
            Ownership ownership = spec.ownership();
            out.string(ownership.subject()).i64(ownership.sinceEpochMillis()).flag(ownership.released());
        }
        return out;
    }

    private static void writeRoster(FieldWriter out, Roster roster, int version) {
        out.i32(roster.members().size());
        roster.members().forEach((name, member) -> {
            out.string(name).node(member.node());
            if (version >= BodyReader.VERSION) {
                out.string(member.subject());
            }
        });
        out.i32(roster.lost().size());
        roster.lost().forEach(out::node);
    }

    static SubscriptionSpec read(BodyReader in) throws CorruptRecordException {
        boolean isLatest = in.version() >= BodyReader.VERSION;
        String name = in.string();
        String topic = in.string();
        NodeId owner = in.node();
        int startAt = in.u8();
        int ackLevel = in.u8();
        Map<String, String> terms = in.version() < BodyReader.WITH_TERMS ? Map.of() : in.pairs();
        Roster roster = in.version() < BodyReader.WITH_GROUPS ? Roster.NONE : readRoster(in, isLatest);
        String subject = isLatest ? in.string() : "";
        long sinceMillis = isLatest ? in.i64() : 0;
        boolean released = isLatest && in.flag();
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

    private static Roster readRoster(BodyReader in, boolean withSubjects) throws CorruptRecordException {
        TreeMap<String, Roster.Member> members = new TreeMap<>();
        int count = in.count(Integer.BYTES + 2 * Long.BYTES);
        for (int i = 0; i < count; i++) {
            String name = in.string();
            NodeId node = in.node();
            String subject = withSubjects ? in.string() : "";
            members.put(name, BodyReader.checked("member", () -> new Roster.Member(node, subject)));
        }
        List<NodeId> lost = new ArrayList<>();
        int lostCount = in.count(2 * Long.BYTES);
        for (int i = 0; i < lostCount; i++) {
            lost.add(in.node());
        }
        return BodyReader.checked("group", () -> new Roster(members, lost));
    }
}
