package io.hawser.gsi.token;

import io.hawser.gsi.GsiException;

/** Parses the header of a TLS record (RFC 8446 section 5.1), which delimits tokens on a data connection. */
public final class TlsRecordHeader {
    public static final int BYTES = 5;

    private static final int FIRST_TYPE = 20;
    private static final int LAST_TYPE = 26;
    private static final int MAX_CONTENT_BYTES = (16 << 10) + 2048;

    private TlsRecordHeader() {}

    /** The length of the record's content. Throws {@link GsiException} if it is not a TLS record. */
    public static int contentLength(byte[] header) throws GsiException {
        int length = (header[3] & 0xFF) << 8 | (header[4] & 0xFF);
        if (header[0] < FIRST_TYPE || header[0] > LAST_TYPE || header[1] != 3 || length > MAX_CONTENT_BYTES) {
            throw new GsiException("the data on the connection is no TLS");
        }
        return length;
    }
}
