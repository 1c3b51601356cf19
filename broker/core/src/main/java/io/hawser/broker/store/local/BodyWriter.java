package io.hawser.broker.store.local;

import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Ownership;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.Roster;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.SubscriptionTerms;
import io.hawser.core.model.TransferKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Encodes the body of a record: big-endian numbers, strings as length and UTF-8, collections as count and elements. The first byte
 * is the version of the body's format: {@value #FIRST_VERSION}, or a later one, up to {@value #VERSION}, where a body has more
 * since.
 *
 * <p>Thread: its creator.
 */
final class BodyWriter {
    static final int FIRST_VERSION = 1;
    /** A transfer's state says when it was committed, and a subscription has terms. */
    static final int WITH_TERMS = 2;
    /** A subscription may be shared by a group and have a priority; a transfer's state names the member that may deliver it. */
    static final int WITH_GROUPS = 3;
    /** The latest: a subscription names its owner, the owner's certificate, and since when. */
    static final int VERSION = 4;

    private static final int INITIAL_BYTES = 256;

    private final int version;
    private ByteBuffer out;

    BodyWriter() {
        this(FIRST_VERSION);
    }

    BodyWriter(int version) {
        this.version = version;
        out = ByteBuffer.allocate(INITIAL_BYTES).put((byte) version);
    }

    /** What was written so far; more may follow. */
    byte[] toBytes() {
        return Arrays.copyOf(out.array(), out.position());
    }

    /** How many bytes there are so far. */
    int size() {
        return out.position();
    }

    private ByteBuffer room(int bytes) {
        if (out.remaining() < bytes) {
            ByteBuffer larger = ByteBuffer.allocate(Math.max(2 * out.capacity(), out.position() + bytes));
            out = larger.put(out.flip());
        }
        return out;
    }

    BodyWriter u8(int value) {
        room(Byte.BYTES).put((byte) value);
        return this;
    }

    BodyWriter flag(boolean value) {
        return u8(value ? 1 : 0);
    }

    BodyWriter i32(int value) {
        room(Integer.BYTES).putInt(value);
        return this;
    }

    BodyWriter i64(long value) {
        room(Long.BYTES).putLong(value);
        return this;
    }

    BodyWriter bytes(byte[] value) {
        i32(value.length);
        room(value.length).put(value);
        return this;
    }

    BodyWriter string(String value) {
        return bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    BodyWriter strings(Collection<String> values) {
        i32(values.size());
        values.forEach(this::string);
        return this;
    }

    BodyWriter key(TransferKey key) {
        return node(key.publisher()).i64(key.id().high()).i64(key.id().low());
    }

    BodyWriter node(NodeId node) {
        return i64(node.high()).i64(node.low());
    }

    BodyWriter manifest(Manifest manifest) {
        key(manifest.key())
                .i64(manifest.number())
                .string(manifest.topic().name())
                .u8(manifest.kind().code())
                .string(manifest.name())
                .strings(manifest.paths())
                .i64(manifest.sizeBytes())
                .i32(manifest.fragmentSizeBytes());
        return pairs(manifest.attributes());
    }

    private BodyWriter pairs(Map<String, String> pairs) {
        i32(pairs.size());
        for (Map.Entry<String, String> pair : new TreeMap<>(pairs).entrySet()) {
            string(pair.getKey()).string(pair.getValue());
        }
        return this;
    }

    BodyWriter commit(Commit commit) {
        return i64(commit.sizeBytes())
                .i64(commit.fragmentCount())
                .i32(commit.digest().fragmentSizeBytes())
                .bytes(commit.digest().root());
    }

    BodyWriter receipt(Receipt receipt) {
        return key(receipt.key())
                .string(receipt.subscription())
                .u8(receipt.status().code())
                .string(receipt.reason())
                .i64(receipt.epochMillis());
    }

    /** For a body that holds a subscription: what an earlier version could say is written as that version did. */
    static BodyWriter of(SubscriptionSpec spec) {
        boolean subjects = spec.roster().members().values().stream()
                .anyMatch(member -> !member.subject().isEmpty());
        if (subjects || !spec.ownership().equals(Ownership.NONE)) {
            return new BodyWriter(VERSION);
        }
        if (!spec.roster().equals(Roster.NONE) || spec.terms().priority() != SubscriptionTerms.USUAL_PRIORITY) {
            return new BodyWriter(WITH_GROUPS);
        }
        return new BodyWriter(spec.terms().equals(SubscriptionTerms.NONE) ? FIRST_VERSION : WITH_TERMS);
    }

    BodyWriter subscription(SubscriptionSpec spec) {
        string(spec.name())
                .string(spec.topic().name())
                .node(spec.owner())
                .u8(spec.startAt().code())
                .u8(spec.ackLevel().code());
        if (version >= WITH_TERMS) {
            pairs(spec.terms().toMap());
        }
        if (version >= WITH_GROUPS) {
            roster(spec.roster());
        }
        return version < VERSION ? this : ownership(spec.ownership());
    }

    private BodyWriter ownership(Ownership ownership) {
        return string(ownership.subject()).i64(ownership.sinceEpochMillis()).flag(ownership.released());
    }

    private BodyWriter roster(Roster roster) {
        i32(roster.members().size());
        roster.members().forEach((name, member) -> {
            string(name).node(member.node());
            if (version >= VERSION) {
                string(member.subject());
            }
        });
        i32(roster.lost().size());
        roster.lost().forEach(this::node);
        return this;
    }

    BodyWriter ranges(FragmentRanges ranges) {
        List<FragmentRange> runs = ranges.runs();
        i32(runs.size());
        runs.forEach(run -> i64(run.start()).i64(run.end()));
        return this;
    }
}
