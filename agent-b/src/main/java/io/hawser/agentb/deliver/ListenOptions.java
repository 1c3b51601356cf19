package io.hawser.agentb.deliver;

import io.hawser.core.ftp.PortRange;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.Optional;

/**
 * Where agent-b listens for a GridFTP server that it reads from in MODE E, in which the sender dials (GFD.20 §3.4). In every other transfer agent-b
 * dials.
 *
 * @param ports the port numbers to choose from
 * @param address the address that the server is to dial, for an agent-b behind NAT; empty for this end of the control connection
 */
public record ListenOptions(PortRange ports, Optional<InetAddress> address) {
    /** Any port, at this end of the control connection. */
    public static final ListenOptions ANYWHERE = new ListenOptions(PortRange.ANY, Optional.empty());

    /** Throws IllegalArgumentException with a sentence. */
    public static InetAddress parseAddress(String text) {
        InetAddress address = NetUtil.createInetAddressFromIpAddressString(text); // no name is looked up
        if (address == null || address.isAnyLocalAddress() || address.isMulticastAddress()) {
            throw new IllegalArgumentException("'" + text + "' is not an IP address that a server could dial");
        }
        return address;
    }
}
