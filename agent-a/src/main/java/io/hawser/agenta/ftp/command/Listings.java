package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.agenta.ftp.HeldNames;
import io.hawser.agenta.ftp.ListingTransfer;
import io.hawser.common.ftp.FtpPath;
import io.hawser.common.ftp.ReplyCode;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What LIST, NLST and MLSD share. A directory that nothing is known of is empty and no error, as CWD into it is none. A file is
 * listed alone.
 */
final class Listings {
    private Listings() {}

    static void send(FtpSession session, String argument, Function<HeldNames.Entry, String> line) {
        String name = withoutOptions(argument);
        Optional<FtpPath> path = name.isEmpty() ? Optional.of(session.workingDirectory()) : session.resolve(name);
        if (path.isEmpty()) {
            return;
        }
        if (!path.get().isRoot()
                && session.server().namespace().place(path.get()).isEmpty()) {
            session.reply(FtpReply.about(ReplyCode.FILE_UNAVAILABLE, path.get(), "No such file or directory"));
            return;
        }
        StringBuilder text = new StringBuilder();
        for (HeldNames.Entry entry : entries(session.server().heldNames(), path.get())) {
            text.append(line.apply(entry)).append("\r\n");
        }
        ListingTransfer.send(session, text.toString());
    }

    private static Collection<HeldNames.Entry> entries(HeldNames held, FtpPath path) {
        Optional<HeldNames.Entry> file = held.findTransferred(path).filter(entry -> !entry.directory());
        return file.isPresent() ? List.of(file.get()) : held.list(path);
    }

    private static String withoutOptions(String argument) {
        String rest = argument;
        while (rest.startsWith("-")) {
            int space = rest.indexOf(' ');
            rest = space < 0 ? "" : rest.substring(space + 1).stripLeading();
        }
        return rest;
    }
}
