package io.hawser.ptcp;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** The input stream of a {@link PTCPSocket}. */
final class PtcpInputStream extends InputStream {
    private final ByteStream stream;

    PtcpInputStream(ByteStream stream) {
        this.stream = stream;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        return stream.reader().read(bytes, offset, length);
    }

    @Override
    public int available() throws IOException {
        return stream.available();
    }
}
