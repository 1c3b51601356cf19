package io.hawser.ptcp;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/**
 * The key by which unauthenticated peers are counted: an IPv4 address, or the first 64 bits of an IPv6 address, because one host usually has all that begin so (RFC 4291 section 2.5.1). An IPv4 address that is written as an IPv6 one (RFC 4291 section 2.5.5.2) is the IPv4 address.
 *
 * <p>Thread: any.
 */
public final class PeerNetwork {
    private static final int PREFIX_BYTES = 8;
    private static final int IPV4_AT = 12;
    private static final byte[] IPV4_MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xFF, (byte) 0xFF};

    private PeerNetwork() {}

    /** The network's first address, which is the key. */
    public static InetAddress of(InetAddress address) {
        if (!(address instanceof Inet6Address)) {
            return address;
        }
        byte[] bytes = address.getAddress();
        if (Arrays.equals(bytes, 0, IPV4_AT, IPV4_MAPPED, 0, IPV4_AT)) {
            return ofBytes(Arrays.copyOfRange(bytes, IPV4_AT, bytes.length));
        }
        Arrays.fill(bytes, PREFIX_BYTES, bytes.length, (byte) 0);
        return ofBytes(bytes);
    }

    private static InetAddress ofBytes(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("4 or 16 bytes are an address", e);
        }
    }
}
