package io.hawser.core.ftp;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;

/**
 * A list of networks, such as {@code 192.0.2.0/24,2001:db8::/32,198.51.100.7}. Addresses only: no name is looked up.
 *
 * <p>Thread: immutable.
 */
public final class AddressRanges {
    public static final AddressRanges NONE = new AddressRanges(List.of());

    /** The addresses that share the first {@code bits} bits of {@code address}. */
    private record Range(InetAddress address, int bits) {
        boolean contains(InetAddress other) {
            byte[] mine = address.getAddress();
            byte[] theirs = other.getAddress();
            if (theirs.length != mine.length) {
                return false;
            }
            for (int bit = 0; bit < bits; bit += Byte.SIZE) {
                int mask = 0xFF << (Byte.SIZE - Math.min(Byte.SIZE, bits - bit));
                if (((mine[bit / Byte.SIZE] ^ theirs[bit / Byte.SIZE]) & mask & 0xFF) != 0) {
                    return false;
                }
            }
            return true;
        }
    }

    private final List<Range> ranges;

    private AddressRanges(List<Range> ranges) {
        this.ranges = ranges;
    }

    /** Parses a list with commas. {@link IllegalArgumentException} with a sentence for the user. */
    public static AddressRanges parse(String text) {
        return new AddressRanges(Arrays.stream(text.split(",", -1))
                .map(part -> range(part.strip()))
                .toList());
    }

    private static Range range(String text) {
        int slash = text.indexOf('/');
        InetAddress address = NetUtil.createInetAddressFromIpAddressString(slash < 0 ? text : text.substring(0, slash));
        int most = address == null ? 0 : address.getAddress().length * Byte.SIZE;
        try {
            int bits = slash < 0 ? most : Integer.parseInt(text.substring(slash + 1));
            if (address != null && bits >= 0 && bits <= most) {
                return new Range(address, bits);
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not a network such as 192.0.2.0/24: \"" + text + "\"", e);
        }
        throw new IllegalArgumentException("not a network such as 192.0.2.0/24: \"" + text + "\"");
    }

    public boolean contains(InetAddress address) {
        return ranges.stream().anyMatch(range -> range.contains(address));
    }
}
