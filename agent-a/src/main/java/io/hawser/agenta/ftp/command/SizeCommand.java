package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.common.ftp.FtpPath;
import io.hawser.common.ftp.ReplyCode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * {@code SIZE <SP> <pathname>}, RFC 3659 section 4. Of a file that the spool holds, or how far an upload of this account came that
 * broke off. In TYPE A the size on the wire would have to be counted line by line, so it is refused there.
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
        OptionalLong size = session.sizeOf(path.get());
        session.reply(
                size.isPresent()
                        ? FtpReply.of(ReplyCode.FILE_STATUS, Long.toString(size.getAsLong()))
                        : FtpReply.about(ReplyCode.FILE_UNAVAILABLE, path.get(), "No such file or directory"));
    }
}
