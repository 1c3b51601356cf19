package io.hawser.core.model;

/**
 * Where a new subscription starts; {@link ReplayFilter} narrows the earliest. The first one on a topic always starts at the earliest
 * that is kept.
 */
public enum StartAt {
    NOW(1),
    EARLIEST(2);

    private final int code;

    StartAt(int code) {
        this.code = code;
    }

    /** The number on the wire and on disk. */
    public int code() {
        return code;
    }

    /** The start with that number; {@link IllegalArgumentException} if there is none. */
    public static StartAt of(int code) {
        for (StartAt start : values()) {
            if (start.code == code) {
                return start;
            }
        }
        throw new IllegalArgumentException("unknown start " + code);
    }
}
