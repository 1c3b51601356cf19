package io.hawser.core.remote;

/** Whether a consumer answers questions about the files of its topic. The numbers are fixed by the wire format. */
public enum Serving {
    /** It has nothing to do with them, such as an application. */
    NONE(0),
    /** It answers questions about them. */
    SERVES(1),
    /** It could answer, and does not. */
    CLOSED(2);

    private final int code;

    Serving(int code) {
        this.code = code;
    }

    /** The number on the wire. */
    public int code() {
        return code;
    }

    /** The one with that number; {@link IllegalArgumentException} if there is none. */
    public static Serving of(int code) {
        for (Serving value : values()) {
            if (value.code == code) {
                return value;
            }
        }
        throw new IllegalArgumentException("unknown kind of serving " + code);
    }
}
