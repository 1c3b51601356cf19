package io.hawser.core.wire;

import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.Utf8;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Encodes the elements of messages and headers. The package description has the layout. */
final class WireWriter {
    private WireWriter() {}

    static void key(ByteBuf out, TransferKey key) {
        out.writeLong(key.publisher().high()).writeLong(key.publisher().low());
        out.writeLong(key.id().high()).writeLong(key.id().low());
    }

    static void string(ByteBuf out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > 0xFFFF) {
            throw new IllegalArgumentException("a string of " + bytes.length + " bytes");
        }
        out.writeShort(bytes.length).writeBytes(bytes);
    }

    /** A reason or detail: cut if it is too long. */
    static void text(ByteBuf out, String text) {
        String cut = text;
        while (Utf8.length(cut) > WireLimits.MAX_TEXT_BYTES) {
            cut = cut.substring(0, cut.length() * 3 / 4);
        }
        string(out, cut);
    }

    static void ranges(ByteBuf out, FragmentRanges ranges) {
        List<FragmentRange> runs = ranges.runs();
        int count = Math.min(runs.size(), WireLimits.MAX_RUNS);
        out.writeInt(count);
        for (FragmentRange run : runs.subList(0, count)) {
            out.writeLong(run.start()).writeLong(run.end());
        }
    }

    static void commit(ByteBuf out, Commit commit) {
        out.writeLong(commit.sizeBytes()).writeLong(commit.fragmentCount());
        out.writeInt(commit.digest().fragmentSizeBytes())
                .writeBytes(commit.digest().root());
    }

    static void manifest(ByteBuf out, Manifest manifest) {
        key(out, manifest.key());
        out.writeLong(manifest.number());
        string(out, manifest.topic().name());
        out.writeByte(manifest.kind().code());
        string(out, manifest.name());
        out.writeByte(manifest.paths().size());
        manifest.paths().forEach(path -> string(out, path));
        out.writeLong(manifest.sizeBytes()).writeInt(manifest.fragmentSizeBytes());
        pairs(out, manifest.attributes());
    }

    static void pairs(ByteBuf out, Map<String, String> pairs) {
        out.writeByte(pairs.size());
        for (Map.Entry<String, String> pair : pairs.entrySet()) {
            string(out, pair.getKey());
            string(out, pair.getValue());
        }
    }
}
