package io.hawser.release.drill;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts what is read. Thread: one. */
final class CountingStream extends FilterInputStream {
    private long count;

    CountingStream(InputStream in) {
        super(in);
    }

    long count() {
        return count;
    }

    @Override
    public int read() throws IOException {
        int octet = super.read();
        count += octet < 0 ? 0 : 1;
        return octet;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        int read = super.read(target, offset, length);
        count += Math.max(0, read);
        return read;
    }
}
