package io.hawser.agentb.deliver.gsi;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The far end is not the expected one, or violates GSI. The message is a sentence. */
public final class AuthenticationException extends IOException {
    private static final long serialVersionUID = 1;

    AuthenticationException(String why) {
        super(why);
    }

    AuthenticationException(String why, @Nullable Throwable cause) {
        super(why, cause);
    }
}
