package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.agenta.ftp.PathFacts;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * {@code STAT [<SP> <pathname>]}, RFC 959 section 4.1.3, without a path: the state of the session. While a transfer runs the session
 * answers at once, ahead of the transfer's own reply. With a path: what LIST says, on the control connection.
 */
final class StatCommand implements FtpCommand {
    /** The reply is put together in memory. */
    private static final int MAX_ENTRIES = 1000;

    @Override
    public List<String> verbs() {
        return List.of("STAT");
    }

    @Override
    public String syntax() {
        return "[path]";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        if (argument.isBlank()) {
            session.reply(session.status());
        } else if (session.require(Permission.LIST)) {
            list(session, argument);
        }
    }

    private static void list(FtpSession session, String argument) {
        session.resolve(Listings.withoutOptions(argument)).ifPresent(path -> session.server()
                .directories()
                .list(session, path, true, listed -> session.reply(of(path, listed.entries())), session::reply));
    }

    private static FtpReply of(FtpPath path, Collection<PathFacts> entries) {
        if (entries.size() > MAX_ENTRIES) {
            return FtpReply.about(ReplyCode.LOCAL_ERROR, path, "more than " + MAX_ENTRIES + " entries; use LIST");
        }
        long now = System.currentTimeMillis();
        List<String> lines = new ArrayList<>();
        lines.add("Status of " + path + ":");
        entries.forEach(entry -> lines.add(LongFormat.of(entry, now)));
        lines.add("End of status");
        return new FtpReply(ReplyCode.FILE_STATUS, lines);
    }
}
