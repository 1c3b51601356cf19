package io.hawser.core.ftp;

import java.util.Locale;

/**
 * One command of a client.
 *
 * @param verb the command's name in upper case; what a client sent that has no name is the empty string
 * @param argument everything after the one space behind the verb, as {@link NameEncoding} text; may be empty
 */
public record CommandLine(String verb, String argument) {
    private static final int LONGEST_VERB = 16;

    /** Splits a line that has lost its end and its Telnet layer: the first {@code length} bytes. */
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

    /** What may stand in a log: a password never does. */
    @Override
    public String toString() {
        if (argument.isEmpty()) {
            return verb;
        }
        return verb.equals("PASS") || verb.equals("ACCT") ? verb + " ****" : verb + " " + argument;
    }
}
