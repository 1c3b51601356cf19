package io.hawser.core.model;

/** The guarantee of a subscription's ack of a transfer. */
public enum AckLevel implements CodedEnum {
    /** The transfer is durable at the far end. */
    DURABLE(1),
    /** The application has acknowledged the transfer. */
    CONSUMED(2);

    private final int code;

    AckLevel(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }

    /** The level with that number; {@link IllegalArgumentException} if there is none. */
    public static AckLevel of(int code) {
        return CodedEnum.of(values(), code, "ack level");
    }
}
