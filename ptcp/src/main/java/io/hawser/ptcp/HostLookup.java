package io.hawser.ptcp;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Looks names up. It may block.
 *
 * <p>Thread: any.
 */
@FunctionalInterface
interface HostLookup {
    /** As this machine is configured. */
    HostLookup SYSTEM = InetAddress::getAllByName;

    /** All addresses of a name, one at least. */
    InetAddress[] all(String name) throws UnknownHostException;
}
