package io.hawser.agenta.account;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts the logins of clients by protocol and outcome.
 *
 * <p>Thread: the loop.
 */
public final class LoginCounts {
    private final Map<Row, Long> rows = new HashMap<>();

    /** How a login ended. */
    public enum Outcome {
        /** The client is logged in. */
        OK,
        /** The name and password open no account, or the certificate is not mapped to one. */
        REFUSED,
        /** So many wrong passwords came from its network that this one was not looked at. */
        BARRED,
        /** The account has too many sessions, or too many logins are checked at a time. */
        BUSY
    }

    /**
     * What is counted together.
     *
     * @param protocol such as {@code ftp}
     * @param outcome a word
     */
    public record Row(String protocol, String outcome) {}

    /** A login has ended. */
    public void ended(String protocol, Outcome outcome) {
        rows.merge(new Row(protocol, word(outcome)), 1L, Long::sum);
    }

    private static String word(Outcome outcome) {
        return switch (outcome) {
            case OK -> "ok";
            case REFUSED -> "refused";
            case BARRED -> "barred";
            case BUSY -> "busy";
        };
    }

    /** A copy of the counts. */
    public Map<Row, Long> all() {
        return Map.copyOf(rows);
    }
}
