package io.hawser.agenta.ftp;

import io.hawser.agenta.account.Accounts;
import io.hawser.agenta.custody.CustodyRules;
import io.hawser.agenta.ftp.control.FtpLimits;
import io.hawser.agenta.ftp.control.FtpPort;
import io.hawser.agenta.ftp.data.DataRules;
import io.hawser.agenta.ftp.login.FtpTls;
import io.hawser.agenta.ftp.session.SessionPolicy;
import io.hawser.agenta.gsi.GsiFiles;
import io.hawser.agenta.namespace.NamespaceOptions;
import io.hawser.core.model.Topic;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an operator may set of an FTP server.
 *
 * @param listen where it listens; port 0 is any
 * @param gridftp where clients of GridFTP connect besides, or null
 * @param names the namespace that it shows
 * @param sessions the policy of its sessions
 */
public record FtpServerConfig(
        InetSocketAddress listen, @Nullable InetSocketAddress gridftp, NamespaceOptions names, SessionPolicy sessions) {
    public FtpServerConfig {
        ports(listen, gridftp, sessions.tls())
                .forEach((port, address) ->
                        check(address, sessions.accounts(), port == FtpPort.GRIDFTP && sessions.gsi() != null));
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

    Map<FtpPort, InetSocketAddress> ports() {
        return ports(listen, gridftp, sessions.tls());
    }

    private static Map<FtpPort, InetSocketAddress> ports(
            InetSocketAddress listen, @Nullable InetSocketAddress gridftp, @Nullable FtpTls tls) {
        Map<FtpPort, InetSocketAddress> ports = new EnumMap<>(FtpPort.class);
        ports.put(FtpPort.FTP, listen);
        if (tls != null && tls.implicit() != null) {
            ports.put(FtpPort.FTPS, tls.implicit());
        }
        if (gridftp != null) {
            ports.put(FtpPort.GRIDFTP, gridftp);
        }
        return ports;
    }

    /** Anonymous FTP on a loopback address, with each topic as a directory. */
    public static FtpServerConfig anonymous(InetSocketAddress listen) {
        return new FtpServerConfig(listen, null, NamespaceOptions.DEFAULT, SessionPolicy.anonymous());
    }

    public FtpServerConfig withListen(InetSocketAddress address) {
        return new FtpServerConfig(address, gridftp, names, sessions);
    }

    public FtpServerConfig withGridftp(InetSocketAddress address) {
        return new FtpServerConfig(listen, address, names, sessions);
    }

    private FtpServerConfig withNames(NamespaceOptions other) {
        return new FtpServerConfig(listen, gridftp, other, sessions);
    }

    public FtpServerConfig withRoot(@Nullable Topic topic) {
        return withNames(new NamespaceOptions(topic, names.partialListings(), names.farLookTime()));
    }

    /** The same with listings that may be incomplete, or without. */
    public FtpServerConfig withPartialListings(boolean allowed) {
        return withNames(new NamespaceOptions(names.root(), allowed, names.farLookTime()));
    }

    /** The same with another time for a far end that is there. */
    public FtpServerConfig withFarLookTime(Duration time) {
        return withNames(new NamespaceOptions(names.root(), names.partialListings(), time));
    }

    private FtpServerConfig withSessions(SessionPolicy other) {
        return new FtpServerConfig(listen, gridftp, names, other);
    }

    public FtpServerConfig withLimits(FtpLimits limits) {
        return withSessions(new SessionPolicy(
                sessions.accounts(), sessions.data(), limits, sessions.custody(), sessions.tls(), sessions.gsi()));
    }

    public FtpServerConfig withData(DataRules data) {
        return withSessions(new SessionPolicy(
                sessions.accounts(), data, sessions.limits(), sessions.custody(), sessions.tls(), sessions.gsi()));
    }

    public FtpServerConfig withAccounts(Accounts accounts) {
        return withSessions(new SessionPolicy(
                accounts, sessions.data(), sessions.limits(), sessions.custody(), sessions.tls(), sessions.gsi()));
    }

    /** The same over TLS too. */
    public FtpServerConfig withTls(@Nullable FtpTls tls) {
        return withSessions(new SessionPolicy(
                sessions.accounts(), sessions.data(), sessions.limits(), sessions.custody(), tls, sessions.gsi()));
    }

    /** The same with GSI at the port of GridFTP. */
    public FtpServerConfig withGsi(GsiFiles gsi) {
        return withSessions(new SessionPolicy(
                sessions.accounts(), sessions.data(), sessions.limits(), sessions.custody(), sessions.tls(), gsi));
    }

    public FtpServerConfig withCustody(CustodyRules custody) {
        return withSessions(new SessionPolicy(
                sessions.accounts(), sessions.data(), sessions.limits(), custody, sessions.tls(), sessions.gsi()));
    }
}
