package io.hawser.ptcp;

import java.util.Locale;

/**
 * Explains why a listener could not bind. The JDK and Netty's native transport have one exception for all reasons, so only its text says which.
 *
 * <p>Thread: any.
 */
public final class BindFailures {
    private BindFailures() {}

    /** Why a listener cannot bind, and what to check. */
    public static String problem(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        String lower = message.toLowerCase(Locale.ROOT);
        if (lower.contains("in use") || lower.contains("error(-98)")) {
            return "Address already in use: does another process use the port?";
        } else if (lower.contains("cannot assign requested address")
                || lower.contains("can't assign")
                || lower.contains("error(-99)")) {
            return "Cannot assign requested address: this machine does not have it";
        } else if (lower.contains("permission denied") || lower.contains("error(-13)")) {
            return "Permission denied: ports below 1024 are for the superuser";
        }
        return message;
    }
}
