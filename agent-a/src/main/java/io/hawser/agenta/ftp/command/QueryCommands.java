package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.account.Permission;
import io.hawser.agenta.front.LongFormat;
import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.namespace.PathQueries;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.agenta.namespace.NamespaceService;
import io.hawser.agenta.namespace.PathFacts;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.store.spool.TransferSnapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The commands that ask what is there. */
final class QueryCommands {
    /** The reply of STAT is put together in memory. */
    private static final int MAX_STAT_ENTRIES = 1000;

    private QueryCommands() {}

    /**
     * {@code SIZE <SP> <pathname>}, RFC 3659 section 4. Or how far an upload of this account came that broke off. In TYPE A the size
     * on the wire would have to be counted line by line, so it is refused there.
     */
    static void size(FtpSession session, FtpPath path) {
        if (session.settings().ascii()) {
            session.replyAbout(ReplyCode.FILE_UNAVAILABLE, path, "SIZE is offered in TYPE I only");
            return;
        }
        OptionalLong incomplete = sizeOfIncomplete(session, path);
        if (incomplete.isPresent()) {
            session.reply(size(incomplete.getAsLong()));
            return;
        }
        PathQueries.replyOfFile(session, path, facts -> size(facts.sizeBytes()));
    }

    /** What is told about an upload that broke off is remembered, see {@link io.hawser.agenta.namespace.AdvertisedSizes}. */
    private static OptionalLong sizeOfIncomplete(FtpSession session, FtpPath path) {
        NamespaceService names = session.names();
        Optional<TransferSnapshot> incomplete = names.place(path)
                .flatMap(place -> names.spool().findIncomplete(session.account(), place.topic(), place.name()));
        return incomplete.isPresent()
                ? names.advertisedSizes().tell(names.spool(), incomplete.get())
                : OptionalLong.empty();
    }

    private static FtpReply size(long bytes) {
        return FtpReply.of(ReplyCode.FILE_STATUS, Long.toString(bytes));
    }

    /**
     * {@code MDTM <SP> <pathname>}, RFC 3659 section 3: of a file that is on its way, the time of its upload. {@code MDTM YYYYMMDDhhmmss name},
     * in no RFC, sets the time as MFMT does: ncftp and lftp send it to servers without MFMT.
     */
    static void mdtm(FtpSession session, String argument) {
        String[] words = argument.split(" ", 2);
        OptionalLong time = words.length == 2 ? FtpTime.parse(words[0]) : OptionalLong.empty();
        if (time.isPresent()) {
            if (session.require(Permission.WRITE)) {
                ChangeCommands.setTime(session, words[1], time.getAsLong(), ReplyCode.FILE_STATUS);
            }
            return;
        }
        session.resolve(argument)
                .ifPresent(path -> PathQueries.replyOfFile(
                        session,
                        path,
                        facts -> FtpReply.of(ReplyCode.FILE_STATUS, MlstFacts.time(facts.modifiedMillis()))));
    }

    /** {@code MLST [<SP> <pathname>]}, RFC 3659 section 7: what is known of one path, on the control connection. */
    static void mlst(FtpSession session, String argument) {
        Optional<FtpPath> resolved =
                argument.isEmpty() ? Optional.of(session.workingDirectory()) : session.resolve(argument);
        resolved.ifPresent(path -> PathQueries.findFacts(
                session,
                path,
                found -> session.reply(new FtpReply(
                        ReplyCode.FILE_ACTION_OK,
                        List.of(
                                "Listing",
                                MlstFacts.of(session).of(found.facts(), session.identity()) + path,
                                "End")))));
    }

    /** {@code MLSD [<SP> <pathname>]}, RFC 3659 section 7: the entries of a directory with their facts. */
    static void mlsd(FtpSession session, String argument) {
        MlstFacts facts = MlstFacts.of(session);
        Account account = session.identity();
        ListingSender.send(session, argument, false, entry -> facts.of(entry, account) + entry.name());
    }

    /**
     * {@code LIST [<SP> <pathname>]}, RFC 959 section 4.1.3: a directory for humans, in the form of {@code ls -l}, which programs read too.
     * Options such as {@code -a} (wget sends them) are ignored. The last part of the path may be a pattern.
     */
    static void list(FtpSession session, String argument) {
        long now = System.currentTimeMillis();
        ListingSender.sendMatching(session, ListingSender.withoutOptions(argument), facts -> LongFormat.of(facts, now));
    }

    /**
     * {@code NLST [<SP> <pathname>]}, RFC 959 section 4.1.3: the names in a directory. Options such as {@code -a} are ignored. The last part of the path
     * may be a pattern.
     */
    static void nlst(FtpSession session, String argument) {
        String path = ListingSender.withoutOptions(argument);
        int behindDirectory = path.lastIndexOf('/') + 1;
        // As shells do it: what a pattern has found can be asked for as it is listed.
        String prefix = GlobPattern.isOne(path.substring(behindDirectory)) ? path.substring(0, behindDirectory) : "";
        ListingSender.sendMatching(session, path, facts -> prefix + facts.name());
    }

    /**
     * {@code STAT [<SP> <pathname>]}, RFC 959 section 4.1.3, without a path: the state of the session. While a transfer runs the session
     * answers at once, ahead of the transfer's own reply. With a path: what LIST says, on the control connection.
     */
    static void stat(FtpSession session, String argument) {
        if (argument.isBlank()) {
            session.reply(session.status());
        } else if (session.require(Permission.LIST)) {
            statPath(session, argument);
        }
    }

    private static void statPath(FtpSession session, String argument) {
        session.resolve(ListingSender.withoutOptions(argument))
                .ifPresent(path -> PathQueries.list(
                        session, path, true, listed -> session.reply(status(path, listed.entries())), session::reply));
    }

    private static FtpReply status(FtpPath path, Collection<PathFacts> entries) {
        if (entries.size() > MAX_STAT_ENTRIES) {
            return FtpReply.about(ReplyCode.LOCAL_ERROR, path, "more than " + MAX_STAT_ENTRIES + " entries; use LIST");
        }
        long now = System.currentTimeMillis();
        List<String> lines = new ArrayList<>();
        lines.add("Status of " + path + ":");
        entries.forEach(entry -> lines.add(LongFormat.of(entry, now)));
        lines.add("End of status");
        return new FtpReply(ReplyCode.FILE_STATUS, lines);
    }
}
