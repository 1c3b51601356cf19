package io.hawser.store.log;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32C;

/** The 128 random bits that tell one log from every other. */
record LogId(long high, long low) {
    static final int LENGTH_BYTES = 16;

    static LogId random(RandomGenerator random) {
        return new LogId(random.nextLong(), random.nextLong());
    }

    /** Parses 32 hex digits; {@link IllegalArgumentException} otherwise. */
    static LogId parse(String text) {
        byte[] bytes = HexFormat.of().parseHex(text);
        if (bytes.length != LENGTH_BYTES) {
            throw new IllegalArgumentException("a log id is 32 hex digits");
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new LogId(buffer.getLong(), buffer.getLong());
    }

    /** A checksum that has already seen this id. */
    CRC32C seededCrc() {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(LENGTH_BYTES).putLong(high).putLong(low).flip());
        return crc;
    }

    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
    }
}
