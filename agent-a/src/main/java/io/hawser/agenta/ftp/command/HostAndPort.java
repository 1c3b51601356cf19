package io.hawser.agenta.ftp.command;

/** An address as PASV, PORT and SPAS write it, RFC 959 section 4.1.2: {@code h1,h2,h3,h4,p1,p2}. */
final class HostAndPort {
    private HostAndPort() {}

    static String format(byte[] host, int port) {
        StringBuilder out = new StringBuilder();
        for (byte b : host) {
            out.append(b & 0xFF).append(',');
        }
        return out.append(port >> 8).append(',').append(port & 0xFF).toString();
    }
}
