package io.hawser.agentb.deliver.ftp;

import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A complete landing file, open for reading.
 *
 * <p>Thread: any; {@link #close} after the last read.
 */
record LandedFile(StorageFile file, long sizeBytes) implements UploadSource {
    static final int STEP_BYTES = 256 << 10;

    static LandedFile open(Storage storage, Path path, long sizeBytes) throws StorageException {
        return new LandedFile(storage.open(path, OpenMode.READ, FileIoMode.PAGE_CACHE), sizeBytes);
    }

    @Override
    public long awaitReadable(long position, Runnable waiting) {
        return sizeBytes;
    }

    @Override
    public int read(byte[] into, long position, int length) throws StorageException {
        int count = file.read(ByteBuffer.wrap(into, 0, length), position);
        if (count <= 0) {
            throw new StorageException(
                    file.path() + ": ends at " + position + ", although it was verified with " + sizeBytes + " bytes");
        }
        return count;
    }

    /** The digest of the whole file in lower-case hex. */
    String digest(String algorithm) throws StorageException {
        MessageDigest digest = digestOf(algorithm);
        byte[] step = new byte[STEP_BYTES];
        for (long position = 0; position < sizeBytes; ) {
            int count = read(step, position, (int) Math.min(step.length, sizeBytes - position));
            digest.update(step, 0, count);
            position += count;
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest digestOf(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has " + algorithm, e);
        }
    }

    @Override
    public void close() {
        file.close();
    }
}
