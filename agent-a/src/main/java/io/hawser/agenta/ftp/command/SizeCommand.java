package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpServer;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.agenta.ftp.PathLookup;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.store.spool.TransferState;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * {@code SIZE <SP> <pathname>}, RFC 3659 section 4. Or how far an upload of this account came that broke off. In TYPE A the size
 * on the wire would have to be counted line by line, so it is refused there.
 */
final class SizeCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("SIZE");
    }

    @Override
    public String syntax() {
        return "file";
    }

    @Override
    public Permission permission() {
        return Permission.LIST;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        Optional<FtpPath> path = session.resolve(argument);
        if (path.isEmpty()) {
            return;
        }
        if (session.settings().ascii()) {
            session.reply(FtpReply.about(ReplyCode.FILE_UNAVAILABLE, path.get(), "SIZE is offered in TYPE I only"));
            return;
        }
        OptionalLong incomplete = sizeOfIncomplete(session, path.get());
        if (incomplete.isPresent()) {
            session.reply(size(incomplete.getAsLong()));
            return;
        }
        PathLookup.replyOfFile(session, path.get(), facts -> size(facts.sizeBytes()));
    }

    /** What is told of an upload that broke off is remembered, see {@link io.hawser.agenta.ftp.ToldSizes}. */
    private static OptionalLong sizeOfIncomplete(FtpSession session, FtpPath path) {
        FtpServer server = session.server();
        Optional<TransferState> incomplete = server.namespace().place(path).flatMap(place -> server.spool()
                .findIncomplete(session.account(), place.topic(), place.name()));
        return incomplete.isPresent()
                ? server.toldSizes().tell(server.spool(), incomplete.get())
                : OptionalLong.empty();
    }

    private static FtpReply size(long bytes) {
        return FtpReply.of(ReplyCode.FILE_STATUS, Long.toString(bytes));
    }
}
