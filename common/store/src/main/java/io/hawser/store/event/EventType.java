package io.hawser.store.event;

import io.hawser.core.model.CodedEnum;
import java.util.Locale;

/** What may happen at a node. The words are part of the admin API, of webhooks and of {@code --on}. */
public enum EventType implements CodedEnum {
    /** A transfer is complete and durable at its origin. */
    ACCEPTED(1),
    /** The broker has committed a transfer. */
    BROKERED(2),
    /** A transfer is complete, verified and durable at a far end. */
    LANDED(3),
    /** A far end has published a transfer. */
    DELIVERED(4),
    /** A transfer will not be delivered, or a download broke off. */
    FAILED(5),
    /** A transfer passed a deadline or retention that the operator set. */
    EXPIRED(6),
    /** A transfer is on a far end's dead-letter list. */
    DEAD_LETTERED(7),
    /** A transfer was cancelled. */
    CANCELLED(8),
    /** A client has read a file of the far end. */
    DOWNLOADED(9),
    /** The consumer of a subscription that is owed something is away. */
    SUBSCRIPTION_AWAY(20),
    /** A disk or quota will be full soon. */
    DISK_FORECAST(21),
    /** A certificate ends soon. */
    CERTIFICATE_ENDING(22),
    /** A warning of the node has come or gone. */
    HEALTH_CHANGED(23),
    /** A receiver will never have some events: they were deleted before, or it refused them. */
    EVENTS_EXPIRED(24);

    private final int code;

    EventType(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }

    /** The word for people and programs, such as {@code dead-lettered}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether it says that a transfer has not arrived. */
    public boolean isFailure() {
        return this == FAILED || this == EXPIRED || this == DEAD_LETTERED || this == CANCELLED;
    }

    /** The type with that number; {@link IllegalArgumentException} if there is none. */
    public static EventType of(int code) {
        return CodedEnum.of(values(), code, "event type");
    }

    /** The type with that word; {@link IllegalArgumentException} if there is none. */
    public static EventType of(String word) {
        for (EventType type : values()) {
            if (type.word().equals(word)) {
                return type;
            }
        }
        throw new IllegalArgumentException("'" + word + "' is no event");
    }
}
