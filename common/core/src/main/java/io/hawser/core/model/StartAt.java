package io.hawser.core.model;

/**
 * The start position of a new subscription; {@link ReplayFilter} narrows {@code EARLIEST}. The first subscription on a topic always starts
 * at the earliest kept transfer.
 */
public enum StartAt implements CodedEnum {
    NOW(1),
    EARLIEST(2);

    private final int code;

    StartAt(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }

    /** The start with that number; {@link IllegalArgumentException} if there is none. */
    public static StartAt of(int code) {
        return CodedEnum.of(values(), code, "start");
    }
}
