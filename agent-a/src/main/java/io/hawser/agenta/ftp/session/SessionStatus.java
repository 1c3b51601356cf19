package io.hawser.agenta.ftp.session;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.login.TlsProtection;
import io.hawser.core.ftp.ReplyCode;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What STAT tells of a session (RFC 959 section 4.1.3). */
final class SessionStatus {
    private SessionStatus() {}

    /** The reply; only when the client is logged in. {@code progress} is of the transfer that is under way. */
    static FtpReply of(FtpSession session, InetAddress peer, Optional<String> progress) {
        Account account = session.identity();
        TransferSettings settings = session.settings();
        TlsProtection protection = session.protection();
        List<String> lines = new ArrayList<>();
        lines.add("Hawser agent-a:");
        lines.add("Connected from " + peer.getHostAddress());
        lines.add("Logged in as " + account.name() + ", permissions " + Permission.letters(account.permissions()));
        lines.add("TYPE " + (settings.ascii() ? "A" : "I") + ", MODE " + (settings.extendedBlocks() ? "E" : "S")
                + ", STRU F");
        lines.add(
                "Control connection: " + said(protection.control()) + ", data connections: " + said(protection.data()));
        progress.ifPresent(lines::add);
        lines.addAll(session.obstacles());
        lines.add("End of status");
        return new FtpReply(ReplyCode.SYSTEM_STATUS, lines);
    }

    private static String said(boolean isProtected) {
        return isProtected ? "TLS" : "clear";
    }
}
