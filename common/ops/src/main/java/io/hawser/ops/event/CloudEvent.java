package io.hawser.ops.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.hawser.core.model.TransferKey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event as JSON for other programs: CloudEvents 1.0 in structured mode.
 *
 * @param specversion always 1.0
 * @param id the same whenever the same event is sent
 * @param source the node: its name, and the id of its event log
 * @param type {@code io.hawser.} and the event's word
 * @param subject the transfer's key, or what else it is about
 * @param time when, ISO 8601 in UTC
 * @param datacontenttype of {@code data}
 * @param data the rest
 */
public record CloudEvent(
        String specversion,
        String id,
        String source,
        String type,
        String subject,
        String time,
        String datacontenttype,
        Data data) {
    private static final String PREFIX = "io.hawser.";

    /**
     * What is known of the object; what is not known is left out.
     *
     * @param node the node's name
     * @param sequence the event's number at this node
     * @param key the transfer's key
     * @param topic its topic
     * @param name the object's name
     * @param kind its kind
     * @param sizeBytes its size
     * @param digest its tree digest
     * @param subscription the far end that the event is about
     * @param who the account or certificate
     * @param from the client's address
     * @param reason why, or what has happened
     * @param ends whether nothing more is expected of the transfer at this node
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Data(
            String node,
            long sequence,
            @Nullable String key,
            @Nullable String topic,
            @Nullable String name,
            @Nullable String kind,
            @Nullable Long sizeBytes,
            @Nullable String digest,
            @Nullable String subscription,
            @Nullable String who,
            @Nullable String from,
            @Nullable String reason,
            boolean ends) {}

    /** @param node the node's name */
    static CloudEvent of(Event event, String node, String logId) {
        EventFacts facts = event.facts();
        TransferKey key = event.key();
        return new CloudEvent(
                "1.0",
                event.id(),
                "/hawser/" + node + "/" + logId,
                PREFIX + event.type().word(),
                event.subjectText(),
                Instant.ofEpochMilli(event.epochMillis()).toString(),
                "application/json",
                new Data(
                        node,
                        event.sequence(),
                        key == null ? null : key.toString(),
                        known(facts.topic()),
                        known(facts.name()),
                        known(facts.kind()),
                        facts.sizeBytes() < 0 ? null : facts.sizeBytes(),
                        known(facts.digest()),
                        known(event.subscription()),
                        known(facts.who()),
                        known(facts.from()),
                        known(facts.reason()),
                        event.ends()));
    }

    private static @Nullable String known(String text) {
        return text.isEmpty() ? null : text;
    }
}
