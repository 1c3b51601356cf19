package io.hawser.core.model;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Something that a later version says of a transfer, in bytes that only it reads. Each node passes it on as it came.
 *
 * @param type from 0 on, given out once for all
 * @param required whether a node that does not know the type must refuse the transfer; otherwise it ignores it
 * @param value at most what a manifest has room for; not changed by anybody
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content, below
public record Extension(int type, boolean required, byte[] value) {
    /** The first that must be understood; this version understands none. */
    public static Optional<Extension> unknown(List<Extension> extensions) {
        return extensions.isEmpty()
                ? Optional.empty()
                : extensions.stream().filter(Extension::required).findFirst();
    }

    /** What to tell whoever sent it. */
    public String refusal() {
        return "it needs extension " + type + ", which this version of Hawser does not know; update this node";
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Extension that
                && type == that.type
                && required == that.required
                && Arrays.equals(value, that.value);
    }

    @Override
    public int hashCode() {
        return 31 * type + Arrays.hashCode(value);
    }

    @Override
    public String toString() {
        return "extension " + type + (required ? " (required), " : ", ") + value.length + " bytes";
    }
}
