package io.hawser.agenta.ftp.session;

import io.hawser.agenta.front.ClientTransfers;
import io.hawser.agenta.front.FileServices;
import io.hawser.agenta.ftp.login.LoginServices;
import io.hawser.ops.audit.Audit;
import io.hawser.ptcp.RefusedDialLogThrottle;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * What the sessions of an FTP server share.
 *
 * @param policy what the operator set
 * @param logins who may log in
 * @param files the namespace, uploads and downloads
 * @param commands what clients may say
 * @param refusals of connections, for the log
 * @param handshakes where TLS handshakes of control connections compute: strangers may begin as many as they like
 * @param obstacles says for STAT what is in the way between this node and the files, a sentence each
 */
public record FtpServices(
        SessionPolicy policy,
        LoginServices logins,
        FileServices files,
        CommandTable commands,
        RefusedDialLogThrottle refusals,
        Executor handshakes,
        Supplier<List<String>> obstacles) {
    /** Where it is noted what clients do. */
    Audit audit() {
        return logins.clients().audit();
    }

    /** Learns of clients' uploads and downloads. */
    ClientTransfers transfers() {
        return logins.clients().transfers();
    }
}
