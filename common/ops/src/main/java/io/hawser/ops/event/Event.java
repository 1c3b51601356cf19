package io.hawser.ops.event;

import io.hawser.core.model.TransferKey;
import io.hawser.store.event.Cause;
import io.hawser.store.event.EventType;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Something that has happened at this node.
 *
 * @param sequence its number in this node's log, from 1; 0 of one that is not recorded
 * @param type what
 * @param epochMillis when, milliseconds since the epoch
 * @param key the transfer, or null if it is about none
 * @param subject what it is about, if not a transfer; else empty
 * @param subscription the far end that it is about; empty if none
 * @param ends whether nothing more is expected of the transfer at this node
 * @param cause the record of the node's store that says so, or {@link Cause#START} if none does
 * @param facts what is known of the object
 */
public record Event(
        long sequence,
        EventType type,
        long epochMillis,
        @Nullable TransferKey key,
        String subject,
        String subscription,
        boolean ends,
        Cause cause,
        EventFacts facts) {
    /** The transfer's key as text, or the subject. */
    public String subjectText() {
        TransferKey transfer = key;
        return transfer == null ? subject : transfer.toString();
    }

    /**
     * The same for the same happening, also if it was told twice after a crash, and of ASCII alone, since it is a header of HTTP. What may
     * happen to a transfer more than once has its time in it; what is about no transfer has its number.
     */
    public String id() {
        TransferKey transfer = key;
        if (transfer == null) {
            return type.word() + "." + sequence;
        }
        StringBuilder id = new StringBuilder(transfer.toString()).append('.').append(type.word());
        if (!subscription.isEmpty()) {
            id.append('.').append(URLEncoder.encode(subscription, StandardCharsets.UTF_8));
        }
        if (type == EventType.LANDED || type == EventType.DEAD_LETTERED) {
            id.append('.').append(epochMillis);
        }
        return id.toString();
    }
}
