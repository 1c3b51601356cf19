package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpSession;
import java.util.List;

/**
 * {@code SITE STORBUFSIZE bytes} and its other spellings: the socket buffers of the data connections that follow. In no RFC;
 * globus-url-copy -tcp-bs tries them in turn and fails when all are refused.
 */
final class SiteBufferSizeCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("BUFSIZE", "STORBUFSIZE", "RETRBUFSIZE", "RBUFSIZ", "RBUFSZ", "SBUFSIZ", "SBUFSZ");
    }

    @Override
    public String syntax() {
        return "bytes";
    }

    @Override
    public void execute(FtpSession session, String argument) {
        SbufCommand.set(session, argument);
    }
}
