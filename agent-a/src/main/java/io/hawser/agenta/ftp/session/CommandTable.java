package io.hawser.agenta.ftp.session;

import io.hawser.agenta.account.Permission;
import io.hawser.core.ftp.CommandLine;
import io.hawser.core.ftp.ReplyCode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The commands that a server offers, and the verbs that it knows but does not offer. It checks which session may run what. */
public final class CommandTable {
    private final List<CommandDefinition> rows;
    private final Map<String, CommandDefinition> byVerb = new TreeMap<>();
    private final List<String> known;

    /**
     * @param rows what is offered, in the order of FEAT
     * @param known verbs of the RFCs that are answered 502 rather than 500
     */
    public CommandTable(List<CommandDefinition> rows, Collection<String> known) {
        this.rows = List.copyOf(rows);
        for (CommandDefinition command : rows) {
            for (String verb : command.verbs()) {
                if (byVerb.put(verb, command) != null) {
                    throw new IllegalArgumentException("two commands are called " + verb);
                }
            }
        }
        this.known = List.copyOf(known);
    }

    public Optional<CommandDefinition> find(String verb) {
        return Optional.ofNullable(byVerb.get(verb));
    }

    /** Runs a command, or replies why it cannot be. */
    void run(FtpSession session, CommandLine line) {
        Optional<CommandDefinition> found = findOffered(session, line.verb());
        if (found.isEmpty() && isKnown(line.verb())) {
            session.reply(ReplyCode.NOT_IMPLEMENTED, line.verb() + " is not offered.");
        } else if (found.isEmpty()) {
            session.reply(ReplyCode.SYNTAX_ERROR, "Not an FTP command.");
        } else if (session.gsi().isLacking() && found.get().access() != CommandDefinition.Access.BEFORE_SECURITY) {
            session.reply(ReplyCode.NOT_LOGGED_IN, "Must perform GSSAPI authentication.");
        } else if (found.get().access() == CommandDefinition.Access.LOGGED_IN && !session.isLoggedIn()) {
            session.reply(ReplyCode.NOT_LOGGED_IN, "Log in with USER and PASS first.");
        } else {
            runPermitted(session, found.get(), line.argument());
        }
    }

    /** Runs a command, or replies that the account lacks the permission; then REST and RANG, which may have been for it, are used up. */
    public static void runPermitted(FtpSession session, CommandDefinition command, String argument) {
        Permission needed = command.permission();
        if (needed == null || session.require(needed)) {
            command.handler().run(session, argument);
        } else {
            session.settings().takeSpan();
        }
    }

    /** The command of that verb, if it is offered to the session. */
    public Optional<CommandDefinition> findOffered(FtpSession session, String verb) {
        return find(verb).filter(command -> isOffered(session, command));
    }

    private static boolean isOffered(FtpSession session, CommandDefinition command) {
        return command.offer()
                .isMade(session.policy().tls() != null, session.policy().gsi() != null);
    }

    /** Whether the verb is one of FTP's, offered or not. */
    private boolean isKnown(String verb) {
        return byVerb.containsKey(verb) || known.contains(verb);
    }

    /** All verbs of the table, in alphabetical order. */
    public Collection<String> verbs() {
        return byVerb.keySet();
    }

    /** What is offered to a session, in alphabetical order. */
    public List<String> verbs(FtpSession session) {
        return byVerb.entrySet().stream()
                .filter(row -> isOffered(session, row.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    public List<String> features(FtpSession session) {
        return rows.stream()
                .map(row -> row.feature().apply(session))
                .filter(line -> !line.isEmpty())
                .toList();
    }
}
