package io.hawser.core.model;

/** What a subscription's ack of a transfer guarantees. Codes are fixed by the wire format. */
public enum AckLevel {
    /** An edge that stores: the transfer is durable there. */
    DURABLE(1),
    /** An application: it has said that it is done with the transfer. */
    CONSUMED(2);

    private final int code;

    AckLevel(int code) {
        this.code = code;
    }

    /** The level's number on the wire and on disk. */
    public int code() {
        return code;
    }

    /** The level with that number; {@link IllegalArgumentException} if there is none. */
    public static AckLevel of(int code) {
        for (AckLevel level : values()) {
            if (level.code == code) {
                return level;
            }
        }
        throw new IllegalArgumentException("unknown ack level " + code);
    }
}
