package io.hawser.broker.store.local;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The checksum of a row of the index. H2 does not notice a flipped bit in a value; a row that does not agree with its checksum makes
 * the whole index doubtful.
 *
 * <p>Thread: its creator.
 */
final class RowChecksum {
    private final CRC32C crc = new CRC32C();

    RowChecksum bytes(byte[] value) {
        crc.update(value, 0, value.length);
        return this;
    }

    RowChecksum longs(long... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Long.BYTES);
        for (long value : values) {
            bytes.putLong(value);
        }
        return bytes(bytes.array());
    }

    RowChecksum text(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        return longs(bytes.length).bytes(bytes);
    }

    int value() {
        return (int) crc.getValue();
    }

    /** Throws unless {@code stored} is the checksum. */
    void check(int stored, String table) {
        if (stored != value()) {
            throw new IndexFailedException("a row of table " + table + " does not agree with its checksum");
        }
    }
}
