package io.hawser.core.wire;

import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.model.Utf8;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Decodes the elements of messages and headers. Checks every length against its limit before it allocates memory. */
final class WireReader {
    private WireReader() {}

    static TransferKey key(ByteBuf in) {
        return new TransferKey(new NodeId(in.readLong(), in.readLong()), new TransferId(in.readLong(), in.readLong()));
    }

    static String string(ByteBuf in, int maxBytes) throws MalformedMessageException {
        int length = in.readUnsignedShort();
        if (length > maxBytes) {
            throw new MalformedMessageException("a string of " + length + " bytes where " + maxBytes + " are allowed");
        }
        byte[] bytes = new byte[length];
        in.readBytes(bytes);
        return Utf8.decode(bytes);
    }

    static byte[] bytes32(ByteBuf in) {
        byte[] bytes = new byte[TransferDigest.LENGTH_BYTES];
        in.readBytes(bytes);
        return bytes;
    }

    static FragmentRanges ranges(ByteBuf in) throws MalformedMessageException {
        int count = count(in.readInt(), WireLimits.MAX_RUNS, "ranges");
        FragmentRanges ranges = new FragmentRanges();
        for (int i = 0; i < count; i++) {
            long start = in.readLong();
            long end = in.readLong();
            if (start < 0 || end <= start) {
                throw new MalformedMessageException("a range from " + start + " to " + end);
            }
            ranges.add(start, end);
        }
        return ranges;
    }

    static int count(int count, int max, String what) throws MalformedMessageException {
        if (count < 0 || count > max) {
            throw new MalformedMessageException(count + " " + what + " where " + max + " are allowed");
        }
        return count;
    }

    static Commit commit(ByteBuf in) {
        long sizeBytes = in.readLong();
        long fragmentCount = in.readLong();
        int fragmentSizeBytes = in.readInt();
        return new Commit(sizeBytes, fragmentCount, new TransferDigest(fragmentSizeBytes, bytes32(in)));
    }

    static Manifest manifest(ByteBuf in) throws MalformedMessageException {
        TransferKey key = key(in);
        long number = in.readLong();
        Topic topic = new Topic(string(in, Topic.MAX_LENGTH_BYTES));
        TransferKind kind = TransferKind.of(in.readUnsignedByte());
        String name = string(in, Manifest.MAX_NAME_LENGTH_BYTES);
        int pathCount = count(in.readUnsignedByte(), WireLimits.MAX_PATHS, "paths");
        List<String> paths = new ArrayList<>(pathCount);
        for (int i = 0; i < pathCount; i++) {
            paths.add(string(in, Manifest.MAX_NAME_LENGTH_BYTES));
        }
        long sizeBytes = in.readLong();
        int fragmentSizeBytes = in.readInt();
        Map<String, String> attributes = pairs(in, Manifest.MAX_ATTRIBUTES);
        return new Manifest(key, number, topic, kind, name, paths, sizeBytes, fragmentSizeBytes, attributes);
    }

    /** Pairs of a name and a text. */
    static Map<String, String> pairs(ByteBuf in, int max) throws MalformedMessageException {
        int count = count(in.readUnsignedByte(), max, "attributes");
        Map<String, String> pairs = new HashMap<>();
        for (int i = 0; i < count; i++) {
            String name = string(in, WireLimits.MAX_ATTRIBUTE_BYTES);
            pairs.put(name, string(in, WireLimits.MAX_ATTRIBUTE_BYTES));
        }
        return pairs;
    }
}
