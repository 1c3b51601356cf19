package io.hawser.agenta.ftp;

import io.hawser.agenta.account.Permission;
import io.hawser.core.ftp.CommandLine;
import io.hawser.core.ftp.ReplyCode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The commands that a server offers, and the verbs that it knows but does not offer. It looks who may run what.
 */
public final class CommandTable {
    private final Map<String, FtpCommand> offered = new TreeMap<>();
    private final List<String> known;

    /**
     * Builds the table.
     *
     * @param commands what is offered
     * @param known verbs of the RFCs that are answered 502 rather than 500
     */
    public CommandTable(Collection<? extends FtpCommand> commands, Collection<String> known) {
        for (FtpCommand command : commands) {
            for (String verb : command.verbs()) {
                if (offered.put(verb, command) != null) {
                    throw new IllegalArgumentException("two commands are called " + verb);
                }
            }
        }
        this.known = List.copyOf(known);
    }

    /** The command of that name. */
    public Optional<FtpCommand> find(String verb) {
        return Optional.ofNullable(offered.get(verb));
    }

    /** Runs a command, or replies why it cannot be. */
    void run(FtpSession session, CommandLine line) {
        Optional<FtpCommand> found = find(line.verb()).filter(command -> command.isOfferedBy(session.server()));
        if (found.isEmpty()) {
            session.reply(
                    isKnown(line.verb())
                            ? FtpReply.of(ReplyCode.NOT_IMPLEMENTED, line.verb() + " is not offered.")
                            : FtpReply.of(ReplyCode.SYNTAX_ERROR, "Not an FTP command."));
            return;
        }
        FtpCommand command = found.get();
        if (session.gsi().isLacking() && !command.allowedBeforeSecurity()) {
            session.reply(FtpReply.of(ReplyCode.NOT_LOGGED_IN, "Must perform GSSAPI authentication."));
            return;
        }
        if (!command.allowedBeforeLogin() && !session.isLoggedIn()) {
            session.reply(FtpReply.of(ReplyCode.NOT_LOGGED_IN, "Log in with USER and PASS first."));
            return;
        }
        Permission needed = command.permission();
        if (needed == null || session.require(needed)) {
            command.execute(session, line.argument());
        }
    }

    /** Whether the verb is one of FTP's, offered or not. */
    public boolean isKnown(String verb) {
        return offered.containsKey(verb) || known.contains(verb);
    }

    /** What is offered, in alphabetical order. */
    public Collection<String> verbs() {
        return offered.keySet();
    }
}
