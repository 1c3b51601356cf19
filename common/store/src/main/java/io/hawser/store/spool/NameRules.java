package io.hawser.store.spool;

import io.hawser.core.model.Manifest;
import io.hawser.core.model.Utf8;
import java.nio.charset.StandardCharsets;

/** What a name must be to be sent at all; what it may be at its destination is for the far end to say. */
final class NameRules {
    private NameRules() {}

    static boolean isSendable(String name) {
        if (name.indexOf('\0') >= 0) {
            return false;
        }
        // A lone surrogate has no UTF-8 and would arrive as another name.
        return StandardCharsets.UTF_8.newEncoder().canEncode(name)
                && Utf8.length(name) <= Manifest.MAX_NAME_LENGTH_BYTES;
    }
}
