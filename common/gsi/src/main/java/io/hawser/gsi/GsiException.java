package io.hawser.gsi;

import org.jspecify.annotations.Nullable;

/** Somebody cannot be authenticated, or what he sent is not GSI. The message is a sentence for a log or a reply; it holds no secrets. */
public final class GsiException extends Exception {
    private static final long serialVersionUID = 1;

    public GsiException(String why) {
        super(why);
    }

    public GsiException(String why, @Nullable Throwable cause) {
        super(why, cause);
    }

    /** The sentence. */
    public String why() {
        return String.valueOf(getMessage());
    }
}
