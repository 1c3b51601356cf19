package io.hawser.agenta.ftp.session;

import io.hawser.agenta.account.Permission;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One FTP command: a row of the {@link CommandTable}. It has no state of its own; one object serves all sessions.
 *
 * @param verbs its names, the usual one first
 * @param syntax its argument's syntax for HELP, empty if it has none
 * @param access what the client must have done before
 * @param permission what the account must be permitted, or null
 * @param offer which servers offer it
 * @param feature its line in FEAT for a session, empty if there is none
 * @param handler runs it
 */
public record CommandDefinition(
        List<String> verbs,
        String syntax,
        Access access,
        @Nullable Permission permission,
        Offer offer,
        Function<FtpSession, String> feature,
        Handler handler) {
    /** What a client must have done before it may use a command. */
    public enum Access {
        LOGGED_IN,
        /** Nothing, but where GSI is demanded it must be established. */
        BEFORE_LOGIN,
        BEFORE_SECURITY
    }

    /** Which servers offer a command; the others answer 502. */
    public enum Offer {
        ALWAYS,
        WITH_TLS,
        WITH_GSI,
        WITH_TLS_OR_GSI;

        boolean isMade(boolean tls, boolean gsi) {
            return switch (this) {
                case ALWAYS -> true;
                case WITH_TLS -> tls;
                case WITH_GSI -> gsi;
                case WITH_TLS_OR_GSI -> tls || gsi;
            };
        }
    }

    /** Runs a command. Thread: the loop. */
    @FunctionalInterface
    public interface Handler {
        /**
         * Gives exactly one final reply, in this call or later; until then the session runs no other command.
         *
         * @param argument the text after the verb, may be empty
         */
        void run(FtpSession session, String argument);
    }

    /** A command for accounts that are logged in. */
    public static CommandDefinition of(String verb, String syntax, Handler handler) {
        return new CommandDefinition(
                List.of(verb), syntax, Access.LOGGED_IN, null, Offer.ALWAYS, session -> "", handler);
    }

    /** A line of FEAT that belongs to no command. */
    public static CommandDefinition feature(String line) {
        return new CommandDefinition(
                List.of(), "", Access.LOGGED_IN, null, Offer.ALWAYS, session -> line, (session, argument) -> {});
    }

    /** The same, under other names too. */
    public CommandDefinition alias(String... others) {
        return new CommandDefinition(
                Stream.concat(verbs.stream(), Stream.of(others)).toList(),
                syntax,
                access,
                permission,
                offer,
                feature,
                handler);
    }

    /** The same with another condition on the session. */
    public CommandDefinition allowed(Access other) {
        return new CommandDefinition(verbs, syntax, other, permission, offer, feature, handler);
    }

    public CommandDefinition needs(Permission needed) {
        return new CommandDefinition(verbs, syntax, access, needed, offer, feature, handler);
    }

    /** The same on some servers only. */
    public CommandDefinition offered(Offer other) {
        return new CommandDefinition(verbs, syntax, access, permission, other, feature, handler);
    }

    public CommandDefinition inFeat(String line) {
        return inFeat(session -> line);
    }

    /** The same with a line in FEAT that depends on the session. */
    public CommandDefinition inFeat(Function<FtpSession, String> line) {
        return new CommandDefinition(verbs, syntax, access, permission, offer, line, handler);
    }
}
