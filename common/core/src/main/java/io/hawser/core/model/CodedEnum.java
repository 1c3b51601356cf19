package io.hawser.core.model;

/** A value with a number that the wire format and the formats on disk fix. */
public interface CodedEnum {
    /** The number on the wire and on disk. */
    int code();

    /**
     * The value with that number; {@link IllegalArgumentException} if there is none.
     *
     * @param values all values
     * @param what what they are, for the exception's message
     */
    static <E extends CodedEnum> E of(E[] values, int code, String what) {
        for (E value : values) {
            if (value.code() == code) {
                return value;
            }
        }
        throw new IllegalArgumentException("unknown " + what + " " + code);
    }
}
