package io.hawser.agenta.ftp.command;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.agenta.ftp.UploadOpening;
import java.util.List;

/**
 * {@code APPE <SP> <pathname>}, RFC 959 section 4.1.3. Goes on with an upload of this account that broke off. Otherwise it
 * appends to the file at the far end, or makes one.
 */
final class AppeCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("APPE");
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
        UploadOpening.append(session, argument);
    }
}
