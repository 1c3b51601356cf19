package io.hawser.ptcp;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/** The output stream of a {@link PTCPSocket}. */
final class PtcpOutputStream extends OutputStream {
    private final ByteStream stream;

    PtcpOutputStream(ByteStream stream) {
        this.stream = stream;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        stream.writer().write(bytes, offset, length);
    }
}
