package io.hawser.agenta.ftp.data;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads and writes the address in PORT (RFC 959 section 4.1.2) and EPRT (RFC 2428 section 2). Numbers only: no name is ever looked up. */
public final class DataAddress {
    private static final int MAX_PORT = 0xFFFF;
    private static final int MAX_LENGTH = 80;
    private static final Pattern COMMA = Pattern.compile(",");

    private DataAddress() {}

    /** Reads {@code h1,h2,h3,h4,p1,p2}; empty if it is something else. */
    public static Optional<InetSocketAddress> parsePort(String text) {
        String[] numbers = text.length() > MAX_LENGTH ? new String[0] : COMMA.split(text.strip(), -1);
        if (numbers.length != 6) {
            return Optional.empty();
        }
        int[] bytes = new int[6];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = number(numbers[i].strip(), 0xFF);
            if (bytes[i] < 0) {
                return Optional.empty();
            }
        }
        byte[] address = {(byte) bytes[0], (byte) bytes[1], (byte) bytes[2], (byte) bytes[3]};
        return Optional.of(address(address, bytes[4] << 8 | bytes[5]));
    }

    /** An address as PASV, PORT and SPAS write it: {@code h1,h2,h3,h4,p1,p2}. */
    public static String format(byte[] host, int port) {
        StringBuilder out = new StringBuilder();
        for (byte b : host) {
            out.append(b & 0xFF).append(',');
        }
        return out.append(port >> 8).append(',').append(port & 0xFF).toString();
    }

    /** Reads {@code |1|192.0.2.7|5000|} or {@code |2|2001:db8::7|5000|}, with any delimiter; empty if it is something else. */
    public static Optional<InetSocketAddress> parseExtended(String text) {
        Optional<String[]> parts = parts(text);
        if (parts.isEmpty()) {
            return Optional.empty();
        }
        String host = parts.get()[1];
        boolean fits =
                switch (parts.get()[0]) {
                    case "1" -> NetUtil.isValidIpV4Address(host);
                    case "2" -> NetUtil.isValidIpV6Address(host);
                    default -> false;
                };
        byte[] address = fits && host.indexOf('%') < 0 ? NetUtil.createByteArrayFromIpAddressString(host) : null;
        int port = number(parts.get()[2], MAX_PORT);
        return address == null || port < 0 ? Optional.empty() : Optional.of(address(address, port));
    }

    /** Whether an EPRT argument is well made but asks for a protocol that is neither IPv4 (1) nor IPv6 (2). */
    public static boolean isOtherProtocol(String text) {
        return parts(text)
                .map(parts -> number(parts[0], MAX_PORT))
                .filter(protocol -> protocol >= 0 && protocol != 1 && protocol != 2)
                .isPresent();
    }

    private static Optional<String[]> parts(String text) {
        String stripped = text.strip();
        if (stripped.length() < 2 || stripped.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        String[] parts = stripped.split(Pattern.quote(stripped.substring(0, 1)), -1);
        return parts.length == 5 && parts[0].isEmpty() && parts[4].isEmpty()
                ? Optional.of(new String[] {parts[1], parts[2], parts[3]})
                : Optional.empty();
    }

    private static InetSocketAddress address(byte[] address, int port) {
        try {
            return new InetSocketAddress(InetAddress.getByAddress(address), port);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("4 or 16 bytes are an address", e);
        }
    }

    private static int number(String digits, int most) {
        if (digits.isEmpty() || digits.length() > 5 || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return -1;
        }
        int value = Integer.parseInt(digits);
        return value <= most ? value : -1;
    }
}
