package io.hawser.ops.event;

import io.hawser.core.model.Attributes;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Utf8;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What an event knows of its object.
 *
 * @param topic the topic; empty if none
 * @param name the object's name below the topic, or a sentence's subject; may be empty
 * @param kind {@code file}, {@code message}, the name of a namespace operation, or {@code download}; empty if none
 * @param digest the tree digest as text; empty if not known
 * @param who the account or certificate; empty if not known
 * @param from the client's address; empty if not known
 * @param reason why, of what is not a success; a sentence of what is not about a transfer; else empty
 * @param sizeBytes the size, -1 if not known
 * @param resentBytes bytes that were sent again, -1 if not known
 * @param startedMillis when it began, milliseconds since the epoch, 0 if not known
 */
public record EventFacts(
        String topic,
        String name,
        String kind,
        String digest,
        String who,
        String from,
        String reason,
        long sizeBytes,
        long resentBytes,
        long startedMillis) {
    static final long UNKNOWN = -1;
    private static final int MAX_REASON_BYTES = 2000;
    private static final int MAX_PERSON_BYTES = 512;

    public EventFacts {
        reason = Utf8.cut(reason, MAX_REASON_BYTES);
        who = Utf8.cut(who, MAX_PERSON_BYTES);
        from = Utf8.cut(from, MAX_PERSON_BYTES);
    }

    /** About no object. */
    public static EventFacts of(String reason) {
        return new EventFacts("", "", "", "", "", "", reason, UNKNOWN, UNKNOWN, 0);
    }

    static EventFacts of(
            @Nullable Manifest manifest, @Nullable Commit commit, String reason, Details details, long startedMillis) {
        if (manifest == null) {
            return new EventFacts(
                    "",
                    "",
                    "",
                    "",
                    details.who(),
                    details.from(),
                    reason,
                    UNKNOWN,
                    details.resentBytes(),
                    startedMillis);
        }
        String account = manifest.attributes().getOrDefault(Attributes.ACCOUNT, "");
        return new EventFacts(
                manifest.topic().name(),
                manifest.name(),
                manifest.kind().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                commit == null ? "" : commit.digest().toString(),
                account.isEmpty() ? details.who() : account,
                details.from(),
                reason,
                commit == null ? manifest.sizeBytes() : commit.sizeBytes(),
                details.resentBytes(),
                startedMillis);
    }

    /**
     * What the node adds to what its store knows.
     *
     * @param who the account or certificate; empty if not known
     * @param from the client's address; empty if not known
     * @param resentBytes bytes that were sent again, -1 if not known
     */
    public record Details(String who, String from, long resentBytes) {
        /** Nothing. */
        public static final Details NONE = new Details("", "", UNKNOWN);
    }
}
