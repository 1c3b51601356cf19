package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.agenta.custody.CustodyProgress;
import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.session.CommandDefinition;
import io.hawser.agenta.ftp.session.CommandTable;
import io.hawser.agenta.ftp.session.CustodyWait;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.store.spool.TransferSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** {@code SITE <SP> <string>}, RFC 959 section 4.1.3. */
final class SiteCommands {
    private static final CommandTable TABLE = new CommandTable(
            List.of(
                    CommandDefinition.of("HELP", "", (session, argument) -> session.reply(help(session))),
                    CommandDefinition.of("CLIENTINFO", "text", SiteCommands::clientInfo),
                    CommandDefinition.of("BUFSIZE", "bytes", SettingCommands::sbuf)
                            .alias("STORBUFSIZE", "RETRBUFSIZE", "RBUFSIZ", "RBUFSZ", "SBUFSIZ", "SBUFSZ"),
                    CommandDefinition.of("CHMOD", "mode path", ChangeCommands::chmod)
                            .needs(Permission.WRITE),
                    CommandDefinition.of("UTIME", ChangeCommands.UTIME_SYNTAX, ChangeCommands::utime)
                            .needs(Permission.WRITE),
                    CommandDefinition.of("RECEIPT", "transfer-id", SiteCommands::receipt),
                    CommandDefinition.of(
                            "WAIT", "transfer-id spooled|brokered|landed|delivered", SiteCommands::waitFor)),
            List.of());

    private SiteCommands() {}

    /** The answer to SITE HELP and HELP SITE. */
    static FtpReply help(FtpSession session) {
        List<String> lines = new ArrayList<>(List.of("These SITE commands are offered:"));
        for (String verb : TABLE.verbs(session)) {
            String syntax = TABLE.find(verb).map(CommandDefinition::syntax).orElse("");
            lines.add((verb + " " + syntax).strip());
        }
        lines.add("End");
        return new FtpReply(ReplyCode.HELP, lines);
    }

    /**
     * {@code SITE <SP> <string>}, RFC 959 section 4.1.3: commands of this server. {@code SITE HELP} lists them;
     * globus-url-copy searches that text for the words that it knows.
     */
    static void site(FtpSession session, String argument) {
        String[] words = argument.strip().split(" ", 2);
        Optional<CommandDefinition> command = TABLE.findOffered(session, words[0].toUpperCase(Locale.ROOT));
        if (command.isEmpty()) {
            session.reply(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "Not a SITE command; see SITE HELP.");
            return;
        }
        CommandTable.runPermitted(session, command.get(), words.length < 2 ? "" : words[1]);
    }

    /** A transfer of this account, or empty; then the refusal has been sent. */
    private static Optional<TransferSnapshot> find(FtpSession session, String id) {
        Optional<TransferSnapshot> state = key(session, id)
                .flatMap(session.names().spool()::state)
                .filter(found ->
                        session.account().equals(found.manifest().attributes().get(Attributes.ACCOUNT)));
        if (state.isEmpty()) {
            session.reply(ReplyCode.FILE_UNAVAILABLE, "No such transfer is known here.");
        }
        return state;
    }

    private static Optional<TransferKey> key(FtpSession session, String id) {
        try {
            return Optional.of(new TransferKey(session.names().spool().nodeId(), TransferId.parse(id)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static List<String> lines(TransferSnapshot state, CustodyProgress custody) {
        List<String> lines = new ArrayList<>();
        lines.add("Transfer " + state.key().id());
        lines.add("Name: " + state.manifest().name());
        boolean followed = !state.isNoLongerFollowed();
        lines.add("Phase: " + (followed ? state.phase().name().toLowerCase(Locale.ROOT) : "not followed"));
        lines.add("Custody: " + custody.reached().map(CustodyLevel::toString).orElse("none"));
        custody.failure().ifPresent(reason -> lines.add((state.lacksRight() ? "Waits: " : "Failed: ") + reason));
        custody.dead().ifPresent(reason -> lines.add("Waits: " + reason));
        if (!followed) {
            lines.add("Note: " + TransferSnapshot.NOT_FOLLOWED);
        }
        if (state.sizeBytes() >= 0) {
            lines.add("Size: " + state.sizeBytes());
        }
        for (Receipt receipt : state.receipts()) {
            lines.add("Receipt: " + receipt.subscription() + " "
                    + receipt.status().name().toLowerCase(Locale.ROOT) + " "
                    + Instant.ofEpochMilli(receipt.epochMillis()));
        }
        lines.add("End");
        return lines;
    }

    /** {@code SITE RECEIPT <SP> transfer-id}: how far one of the account's own transfers got, in lines of {@code Key: value}. In no RFC. */
    static void receipt(FtpSession session, String argument) {
        if (argument.isBlank()) {
            session.reply(ReplyCode.ARGUMENT_ERROR, "SITE RECEIPT needs a transfer.");
            return;
        }
        find(session, argument.strip())
                .ifPresent(state ->
                        session.reply(new FtpReply(ReplyCode.FILE_STATUS, lines(state, session.custody(state)))));
    }

    /**
     * {@code SITE WAIT <SP> transfer-id <SP> level}: replied when one of the account's own transfers is brokered, landed or delivered
     * (250), has failed (550), or has not come that far in the time of {@code --custody-wait} (450). In no RFC.
     */
    static void waitFor(FtpSession session, String argument) {
        String[] words = argument.strip().split(" +");
        if (words.length != 2) {
            session.reply(ReplyCode.ARGUMENT_ERROR, "SITE WAIT needs a transfer and a level.");
            return;
        }
        CustodyLevel level;
        try {
            level = CustodyLevel.parse(words[1]);
        } catch (IllegalArgumentException e) {
            session.reply(ReplyCode.ARGUMENT_ERROR, String.valueOf(e.getMessage()));
            return;
        }
        find(session, words[0]).ifPresent(state -> CustodyWait.until(session, state.key(), level));
    }

    /** {@code SITE CLIENTINFO scheme=...;appname="...";appver="...";}: a client says what it is. In no RFC; globus-url-copy sends it. */
    static void clientInfo(FtpSession session, String argument) {
        session.clientName(argument);
        session.reply(ReplyCode.FILE_ACTION_OK, "Noted.");
    }
}
