package io.hawser.agenta.ftp.data;

import io.hawser.core.ftp.AddressRanges;
import io.hawser.core.ftp.PortRange;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Where data connections may come from and go to.
 *
 * @param passivePorts where PASV and EPSV take their ports from
 * @param passiveAddress the address that PASV answers with, for a server behind NAT; null for the one that the client reached
 * @param thirdParties addresses that may take part in data connections besides the control connection's peer, for transfers
 *     from server to server
 */
public record DataRules(PortRange passivePorts, @Nullable Inet4Address passiveAddress, AddressRanges thirdParties) {
    /** The least port that a client may name (RFC 2577 section 3). */
    private static final int LEAST_PORT = 1024;

    /** Any port, and only the peer. */
    public static final DataRules DEFAULT = new DataRules(PortRange.ANY, null, AddressRanges.NONE);

    /** Whether a data connection with {@code other} is allowed to a session whose client is {@code peer}. */
    public boolean allows(InetAddress peer, InetAddress other) {
        return peer.equals(other) || thirdParties.contains(other);
    }

    /** Why PORT and EPRT may not name that address, or null if they may. What it would allow else is FTP bounce, RFC 2577. */
    public @Nullable String whyNot(InetAddress peer, InetSocketAddress named) {
        if (!allows(peer, named.getAddress())) {
            return "Only your own address may be named.";
        }
        return named.getPort() < LEAST_PORT ? "Ports below " + LEAST_PORT + " may not be named." : null;
    }
}
