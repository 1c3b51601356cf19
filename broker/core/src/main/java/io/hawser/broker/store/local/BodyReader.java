package io.hawser.broker.store.local;

import io.hawser.broker.relay.RelayRecord;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Ownership;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.Roster;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.SubscriptionTerms;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.StorageException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Decodes the record bodies that {@link BodyWriter} encodes. Lengths are checked against what is there before anything is allocated.
 *
 * <p>Thread: its creator.
 */
final class BodyReader {
    private final ByteBuffer in;
    private final int version;

    BodyReader(byte[] body) throws StorageException {
        in = ByteBuffer.wrap(body);
        version = u8();
        if (version < BodyWriter.FIRST_VERSION) {
            throw new CorruptRecordException("a record's body has version " + version);
        }
        if (version > BodyWriter.VERSION) {
            throw new FormatTooNewException("a record's body has version " + version
                    + ", this version of Hawser knows up to " + BodyWriter.VERSION);
        }
    }

    /** The version of the body's format, one of those that are known. */
    int version() {
        return version;
    }

    private ByteBuffer need(long bytes) throws CorruptRecordException {
        if (bytes < 0 || bytes > in.remaining()) {
            throw new CorruptRecordException(
                    "a record's body of " + in.limit() + " bytes ends before its content does");
        }
        return in;
    }

    int u8() throws CorruptRecordException {
        return Byte.toUnsignedInt(need(Byte.BYTES).get());
    }

    boolean flag() throws CorruptRecordException {
        return u8() != 0;
    }

    int i32() throws CorruptRecordException {
        return need(Integer.BYTES).getInt();
    }

    long i64() throws CorruptRecordException {
        return need(Long.BYTES).getLong();
    }

    byte[] bytes() throws CorruptRecordException {
        int length = i32();
        need(length); // before anything is allocated
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    String string() throws CorruptRecordException {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    /** A count of elements that take at least {@code elementBytes} each. */
    int count(int elementBytes) throws CorruptRecordException {
        int count = i32();
        need(count < 0 ? -1 : (long) count * elementBytes);
        return count;
    }

    List<String> strings() throws CorruptRecordException {
        int count = count(Integer.BYTES);
        List<String> strings = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            strings.add(string());
        }
        return strings;
    }

    NodeId nodeId() throws CorruptRecordException {
        return new NodeId(i64(), i64());
    }

    TransferKey key() throws CorruptRecordException {
        return new TransferKey(nodeId(), new TransferId(i64(), i64()));
    }

    Manifest manifest() throws CorruptRecordException {
        TransferKey key = key();
        long number = i64();
        String topic = string();
        int kind = u8();
        String name = string();
        List<String> paths = strings();
        long sizeBytes = i64();
        int fragmentSizeBytes = i32();
        Map<String, String> attributes = pairs();
        try {
            return new Manifest(
                    key,
                    number,
                    new Topic(topic),
                    TransferKind.of(kind),
                    name,
                    paths,
                    sizeBytes,
                    fragmentSizeBytes,
                    attributes);
        } catch (IllegalArgumentException e) {
            throw new CorruptRecordException("a manifest that cannot be: " + e.getMessage(), e);
        }
    }

    private Map<String, String> pairs() throws CorruptRecordException {
        int count = count(2 * Integer.BYTES);
        Map<String, String> pairs = new HashMap<>();
        for (int i = 0; i < count; i++) {
            pairs.put(string(), string());
        }
        return pairs;
    }

    Commit commit() throws CorruptRecordException {
        long sizeBytes = i64();
        long fragmentCount = i64();
        int fragmentSizeBytes = i32();
        byte[] root = bytes();
        try {
            return new Commit(sizeBytes, fragmentCount, new TransferDigest(fragmentSizeBytes, root));
        } catch (IllegalArgumentException e) {
            throw new CorruptRecordException("a commit that cannot be: " + e.getMessage(), e);
        }
    }

    Receipt receipt() throws CorruptRecordException {
        TransferKey key = key();
        String subscription = string();
        int status = u8();
        String reason = string();
        long epochMillis = i64();
        try {
            return new Receipt(key, subscription, ReceiptStatus.of(status), reason, epochMillis);
        } catch (IllegalArgumentException e) {
            throw new CorruptRecordException("a receipt that cannot be: " + e.getMessage(), e);
        }
    }

    SubscriptionSpec subscription() throws CorruptRecordException {
        String name = string();
        String topic = string();
        NodeId owner = nodeId();
        int startAt = u8();
        int ackLevel = u8();
        Map<String, String> terms = version < BodyWriter.WITH_TERMS ? Map.of() : pairs();
        Roster roster = version < BodyWriter.WITH_GROUPS ? Roster.NONE : roster();
        String subject = version < BodyWriter.VERSION ? "" : string();
        long sinceMillis = version < BodyWriter.VERSION ? 0 : i64();
        boolean released = version >= BodyWriter.VERSION && flag();
        try {
            return new SubscriptionSpec(
                    name,
                    new Topic(topic),
                    owner,
                    StartAt.of(startAt),
                    AckLevel.of(ackLevel),
                    SubscriptionTerms.of(terms),
                    roster,
                    new Ownership(subject, sinceMillis, released));
        } catch (IllegalArgumentException e) {
            throw new CorruptRecordException("a subscription that cannot be: " + e.getMessage(), e);
        }
    }

    private Roster roster() throws CorruptRecordException {
        TreeMap<String, Roster.Member> members = new TreeMap<>();
        int count = count(Integer.BYTES + 2 * Long.BYTES);
        for (int i = 0; i < count; i++) {
            members.put(string(), member());
        }
        List<NodeId> lost = new ArrayList<>();
        int lostCount = count(2 * Long.BYTES);
        for (int i = 0; i < lostCount; i++) {
            lost.add(nodeId());
        }
        try {
            return new Roster(members, lost);
        } catch (IllegalArgumentException e) {
            throw new CorruptRecordException("a group that cannot be: " + e.getMessage(), e);
        }
    }

    private Roster.Member member() throws CorruptRecordException {
        NodeId node = nodeId();
        String subject = version < BodyWriter.VERSION ? "" : string();
        try {
            return new Roster.Member(node, subject);
        } catch (IllegalArgumentException e) {
            throw new CorruptRecordException("a member that cannot be: " + e.getMessage(), e);
        }
    }

    RelayRecord.Unsubscribed unsubscribed() throws CorruptRecordException {
        long epochMillis = i64();
        String subscription = string();
        String topic = string();
        try {
            return new RelayRecord.Unsubscribed(subscription, new Topic(topic), epochMillis);
        } catch (IllegalArgumentException e) {
            throw new CorruptRecordException("a topic that cannot be: " + e.getMessage(), e);
        }
    }

    RelayRecord.Expired expired(TransferKey key) throws CorruptRecordException {
        long epochMillis = i64();
        return new RelayRecord.Expired(key, string(), epochMillis);
    }

    FragmentRanges ranges() throws CorruptRecordException {
        int count = count(2 * Long.BYTES);
        FragmentRanges ranges = new FragmentRanges();
        for (int i = 0; i < count; i++) {
            long start = i64();
            long end = i64();
            if (start < 0 || end <= start) {
                throw new CorruptRecordException("a range from " + start + " to " + end);
            }
            ranges.add(start, end);
        }
        return ranges;
    }
}
