package io.hawser.agenta.ftp;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The commands that a server offers, and the verbs that it knows but does not offer. */
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

    /** Whether the verb is one of FTP's, offered or not. */
    public boolean isKnown(String verb) {
        return offered.containsKey(verb) || known.contains(verb);
    }

    /** What is offered, in alphabetical order. */
    public Collection<String> verbs() {
        return offered.keySet();
    }
}
