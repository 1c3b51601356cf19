package io.hawser.gsi.token;

import io.hawser.gsi.GsiException;

/** The five bytes in front of a TLS record (RFC 8446 section 5.1), by which tokens on a data connection are told apart. */
public final class TlsRecordHeader {
    /** How long it is. */
    public static final int BYTES = 5;

    private static final int FIRST_TYPE = 20;
    private static final int LAST_TYPE = 26;
    private static final int MAX_CONTENT_BYTES = (16 << 10) + 2048;

    private TlsRecordHeader() {}

    /** How many bytes follow the header. {@link GsiException} if it is none. */
    public static int contentLength(byte[] header) throws GsiException {
        int length = (header[3] & 0xFF) << 8 | (header[4] & 0xFF);
        if (header[0] < FIRST_TYPE || header[0] > LAST_TYPE || header[1] != 3 || length > MAX_CONTENT_BYTES) {
            throw new GsiException("what came over the data connection is no TLS");
        }
        return length;
    }
}
