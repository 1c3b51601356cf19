package io.hawser.agenta.ftp.command;

import io.hawser.agenta.ftp.FtpCommand;
import io.hawser.agenta.ftp.FtpReply;
import io.hawser.agenta.ftp.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code FEAT}, RFC 2389 section 3. Names only what really works: lftp does not come back from a MLSD that was announced and
 * refused. Answered before the login, when lftp asks.
 */
final class FeatCommand implements FtpCommand {
    @Override
    public List<String> verbs() {
        return List.of("FEAT");
    }

    @Override
    public String syntax() {
        return "";
    }

    @Override
    public boolean allowedBeforeLogin() {
        return true;
    }

    @Override
    public void execute(FtpSession session, String argument) {
        List<String> lines = new ArrayList<>();
        lines.add("Features:");
        if (session.gsi().isOffered()) {
            lines.addAll(List.of("AUTH GSSAPI", "DCAU", "PBSZ", "PROT"));
        } else if (session.server().config().tls() != null) {
            lines.addAll(List.of("AUTH TLS", "PBSZ", "PROT"));
        }
        lines.addAll(List.of(CksmCommand.FEATURE, "EPRT", "EPSV", "ERET", "ESTO", HashCommand.feature(session)));
        lines.addAll(List.of("LANG EN*", "MDTM", "MFMT", MlstFacts.of(session).feature(), "PARALLEL"));
        lines.addAll(List.of("PASV AllowDelayed;", "RANG STREAM", "REST STREAM", "SIZE", "SPAS", "SPOR", "TVFS"));
        lines.addAll(List.of("UTF8", "XCRC", "XMD5", "XSHA1", "XSHA256", "XSHA512", "End"));
        session.reply(new FtpReply(ReplyCode.SYSTEM_STATUS, lines));
    }
}
