package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.agenta.ftp.UploadOpening;
import java.util.List;

/**
 * {@code STOR <SP> <pathname>}, RFC 959 section 4.1.3; with REST before it, RFC 3659 section 5. The final reply comes when the file
 * is durable in the spool, and names the transfer.
 */
final class StorCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("STOR");
    }

    @Override
    public String syntax() {
        return "file";
    }

    @Override
    public Permission permission() {
        return Permission.WRITE;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        UploadOpening.store(session, argument);
    }
}
