package io.hawser.agenta.ftp.session;

import io.hawser.agenta.account.Accounts;
import io.hawser.agenta.custody.CustodyRules;
import io.hawser.agenta.ftp.control.FtpLimits;
import io.hawser.agenta.ftp.data.DataRules;
import io.hawser.agenta.ftp.login.FtpTls;
import io.hawser.agenta.gsi.GsiFiles;
import org.jspecify.annotations.Nullable;

/**
 * What an operator may set for the sessions of an FTP server.
 *
 * @param accounts who may log in
 * @param data where data connections may come from and go to
 * @param limits bounds and times
 * @param custody when uploads get their final reply
 * @param tls FTP over TLS, or null for clear FTP only
 * @param gsi the only way to log in at the port of GridFTP, or null: then that port is as the one of FTP
 */
public record SessionPolicy(
        Accounts accounts,
        DataRules data,
        FtpLimits limits,
        CustodyRules custody,
        @Nullable FtpTls tls,
        @Nullable GsiFiles gsi) {
    /** Anonymous FTP in clear. */
    public static SessionPolicy anonymous() {
        return new SessionPolicy(
                Accounts.anonymous(), DataRules.DEFAULT, FtpLimits.defaults(), CustodyRules.SPOOLED, null, null);
    }
}
