package io.hawser.agenta.http;

import io.hawser.core.integrity.Sha256;
import io.hawser.core.remote.RemoteFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A validator of a file's version (RFC 9110 section 8.8.3).
 *
 * @param opaque what is between the quotes
 * @param weak whether the same tag may stand for different bytes
 */
record EntityTag(String opaque, boolean weak) {
    private static final int LENGTH = 32;

    /** Of a version's name; weak where that does not change with every change of the file. */
    static EntityTag of(String version) {
        byte[] hash = Sha256.of(version.getBytes(StandardCharsets.UTF_8));
        String opaque = HexFormat.of().formatHex(hash).substring(0, LENGTH);
        return new EntityTag(opaque, RemoteFile.withoutLinks(version).startsWith(RemoteFile.WHOLE_ONLY_PREFIX));
    }

    /** The tags of a list in a header. What is none is left out. */
    static List<EntityTag> parseList(String header) {
        List<EntityTag> tags = new ArrayList<>();
        int at = 0;
        while (at < header.length()) {
            boolean weak = header.startsWith("W/", at);
            int open = weak ? at + 2 : at;
            int close = open < header.length() && header.charAt(open) == '"' ? header.indexOf('"', open + 1) : -1;
            if (close < 0) {
                at++;
            } else {
                tags.add(new EntityTag(header.substring(open + 1, close), weak));
                at = close + 1;
            }
        }
        return tags;
    }

    boolean isStrongly(EntityTag other) {
        return !weak && !other.weak && opaque.equals(other.opaque);
    }

    boolean isWeakly(EntityTag other) {
        return opaque.equals(other.opaque);
    }

    @Override
    public String toString() {
        return (weak ? "W/\"" : "\"") + opaque + "\"";
    }
}
