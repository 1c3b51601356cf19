package io.hawser.agenta.ftp;

import io.hawser.agenta.account.Accounts;
import io.hawser.agenta.custody.CustodyRules;
import io.hawser.agenta.gsi.GsiFiles;
import io.hawser.core.model.Topic;
import java.net.InetSocketAddress;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an operator may set of an FTP server.
 *
 * @param listen where it listens; port 0 is any
 * @param gridftp where clients of GridFTP connect besides, or null
 * @param root the topic that is the root directory, or null: then each topic is a directory of the root
 * @param accounts who may log in
 * @param data where data connections may come from and go to
 * @param limits bounds and times
 * @param custody when uploads get their final reply
 * @param tls FTP over TLS, or null for clear FTP only
 * @param gsi by what clients of GridFTP come in at that door, and by nothing else, or null: then it is a door as for FTP
 * @param partialListings whether a listing that may be incomplete, because the far end is away, is sent all the same
 */
public record FtpServerConfig(
        InetSocketAddress listen,
        @Nullable InetSocketAddress gridftp,
        @Nullable Topic root,
        Accounts accounts,
        DataRules data,
        FtpLimits limits,
        CustodyRules custody,
        @Nullable FtpTls tls,
        @Nullable GsiFiles gsi,
        boolean partialListings) {
    public FtpServerConfig {
        doors(listen, gridftp, tls)
                .forEach((door, address) -> check(address, accounts, door == FtpDoor.GRIDFTP && gsi != null));
    }

    private static void check(InetSocketAddress address, Accounts accounts, boolean byCertificate) {
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("cannot resolve the host of the FTP address " + address.getHostString());
        }
        if (!byCertificate && accounts.needLoopback() && !address.getAddress().isLoopbackAddress()) {
            throw new IllegalArgumentException("FTP on " + address.getHostString()
                    + " can be reached from other machines, so it needs accounts: give --users FILE, or --user NAME and --password-file FILE"
                    + ", or say --anonymous read, or listen on 127.0.0.1");
        }
    }

    /** Where clients come in. */
    Map<FtpDoor, InetSocketAddress> doors() {
        return doors(listen, gridftp, tls);
    }

    private static Map<FtpDoor, InetSocketAddress> doors(
            InetSocketAddress listen, @Nullable InetSocketAddress gridftp, @Nullable FtpTls tls) {
        Map<FtpDoor, InetSocketAddress> doors = new EnumMap<>(FtpDoor.class);
        doors.put(FtpDoor.FTP, listen);
        if (tls != null && tls.implicit() != null) {
            doors.put(FtpDoor.FTPS, tls.implicit());
        }
        if (gridftp != null) {
            doors.put(FtpDoor.GRIDFTP, gridftp);
        }
        return doors;
    }

    /** Anonymous FTP on a loopback address, with each topic as a directory. */
    public static FtpServerConfig anonymous(InetSocketAddress listen) {
        return new FtpServerConfig(
                listen,
                null,
                null,
                Accounts.anonymous(),
                DataRules.DEFAULT,
                FtpLimits.defaults(),
                CustodyRules.SPOOLED,
                null,
                null,
                false);
    }

    /** The same with a door for GridFTP. */
    public FtpServerConfig withGridftp(InetSocketAddress address) {
        return new FtpServerConfig(listen, address, root, accounts, data, limits, custody, tls, gsi, partialListings);
    }

    /** The same with a topic as the root. */
    public FtpServerConfig withRoot(@Nullable Topic topic) {
        return new FtpServerConfig(listen, gridftp, topic, accounts, data, limits, custody, tls, gsi, partialListings);
    }

    /** The same with other limits. */
    public FtpServerConfig withLimits(FtpLimits other) {
        return new FtpServerConfig(listen, gridftp, root, accounts, data, other, custody, tls, gsi, partialListings);
    }

    /** The same with other rules for data connections. */
    public FtpServerConfig withData(DataRules other) {
        return new FtpServerConfig(listen, gridftp, root, accounts, other, limits, custody, tls, gsi, partialListings);
    }

    /** The same with other accounts. */
    public FtpServerConfig withAccounts(Accounts other) {
        return new FtpServerConfig(listen, gridftp, root, other, data, limits, custody, tls, gsi, partialListings);
    }

    /** The same over TLS too. */
    public FtpServerConfig withTls(@Nullable FtpTls other) {
        return new FtpServerConfig(listen, gridftp, root, accounts, data, limits, custody, other, gsi, partialListings);
    }

    /** The same with GSI at the door of GridFTP. */
    public FtpServerConfig withGsi(GsiFiles files) {
        return new FtpServerConfig(listen, gridftp, root, accounts, data, limits, custody, tls, files, partialListings);
    }

    /** The same with other custody levels. */
    public FtpServerConfig withCustody(CustodyRules other) {
        return new FtpServerConfig(listen, gridftp, root, accounts, data, limits, other, tls, gsi, partialListings);
    }

    /** The same with listings that may be incomplete, or without. */
    public FtpServerConfig withPartialListings(boolean allowed) {
        return new FtpServerConfig(listen, gridftp, root, accounts, data, limits, custody, tls, gsi, allowed);
    }
}
