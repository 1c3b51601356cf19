package io.hawser.gsi;

import org.jspecify.annotations.Nullable;

/** A peer cannot be authenticated, or violates GSI. The message is a sentence for a log or a reply, without secrets. */
public final class GsiException extends Exception {
    private static final long serialVersionUID = 1;

    public GsiException(String why) {
        super(why);
    }

    public GsiException(String why, @Nullable Throwable cause) {
        super(why, cause);
    }

    public String why() {
        return String.valueOf(getMessage());
    }
}
