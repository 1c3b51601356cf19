package io.hawser.core.ftp;

import java.util.Locale;

/**
 * One command of a client.
 *
 * @param verb the command's name in upper case; empty if the line has none
 * @param argument everything after the first space, as {@link NameEncoding} text; may be empty
 */
public record CommandLine(String verb, String argument) {
    private static final int LONGEST_VERB = 16;

    /** Splits the first {@code length} bytes of a line, without its end of line and Telnet commands. */
    public static CommandLine of(byte[] line, int length) {
        int end = 0;
        while (end < length && line[end] != ' ') {
            end++;
        }
        String verb =
                end > LONGEST_VERB ? "" : NameEncoding.decode(line, 0, end).toUpperCase(Locale.ROOT);
        int from = Math.min(end + 1, length);
        return new CommandLine(verb, NameEncoding.decode(line, from, length - from));
    }

    /** The command for logs, without passwords. */
    @Override
    public String toString() {
        if (argument.isEmpty()) {
            return verb;
        }
        return verb.equals("PASS") || verb.equals("ACCT") ? verb + " ****" : verb + " " + argument;
    }
}
