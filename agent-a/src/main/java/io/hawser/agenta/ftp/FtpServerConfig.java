package io.hawser.agenta.ftp;

import io.hawser.agenta.account.Accounts;
import io.hawser.agenta.ftp.control.ListenerKind;
import io.hawser.agenta.ftp.login.FtpTls;
import io.hawser.agenta.ftp.session.SessionPolicy;
import io.hawser.agenta.namespace.NamespaceOptions;
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
 * @param names the namespace that it shows
 * @param sessions the policy of its sessions
 */
public record FtpServerConfig(
        InetSocketAddress listen, @Nullable InetSocketAddress gridftp, NamespaceOptions names, SessionPolicy sessions) {
    public FtpServerConfig {
        ports(listen, gridftp, sessions.tls())
                .forEach((port, address) ->
                        check(address, sessions.accounts(), port == ListenerKind.GRIDFTP && sessions.gsi() != null));
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

    Map<ListenerKind, InetSocketAddress> ports() {
        return ports(listen, gridftp, sessions.tls());
    }

    private static Map<ListenerKind, InetSocketAddress> ports(
            InetSocketAddress listen, @Nullable InetSocketAddress gridftp, @Nullable FtpTls tls) {
        Map<ListenerKind, InetSocketAddress> ports = new EnumMap<>(ListenerKind.class);
        ports.put(ListenerKind.FTP, listen);
        if (tls != null && tls.implicit() != null) {
            ports.put(ListenerKind.FTPS, tls.implicit());
        }
        if (gridftp != null) {
            ports.put(ListenerKind.GRIDFTP, gridftp);
        }
        return ports;
    }

    /** Anonymous FTP on a loopback address, with each topic as a directory. */
    public static FtpServerConfig anonymous(InetSocketAddress listen) {
        return new FtpServerConfig(listen, null, NamespaceOptions.DEFAULT, SessionPolicy.anonymous());
    }

    /** The same with {@code topic} as the root. */
    public FtpServerConfig withRoot(@Nullable Topic topic) {
        NamespaceOptions changed = new NamespaceOptions(topic, names.partialListings(), names.farLookTime());
        return new FtpServerConfig(listen, gridftp, changed, sessions);
    }
}
