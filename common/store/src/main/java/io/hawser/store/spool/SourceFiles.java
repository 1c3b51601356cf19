package io.hawser.store.spool;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.store.storage.FileFacts;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * The files that are read in place, each bound by its fingerprint: it is compared after every read, so that bytes which were
 * read before a change was seen are not used either.
 *
 * <p>Thread: any; calls block.
 */
record SourceFiles(Storage storage) {
    /** The fingerprint of the file that {@code path} leads to, through symbolic links. */
    SourceFingerprint fingerprint(Path path) throws StorageException {
        return SourceFingerprint.of(storage, path);
    }

    /** Refuses an empty file that has content all the same: no version of it can be told from another. */
    void checkEmpty(SourceFingerprint source) throws StorageException {
        ByteBuffer one = ByteBuffer.allocate(1);
        try (StorageFile file = storage.open(Path.of(source.path()), OpenMode.READ, FileIoMode.PAGE_CACHE)) {
            if (file.read(one, 0) > 0) {
                throw new SourceChangedException(source.path()
                        + " has content, but its size is 0, as of files in /proc: a change of it could not be"
                        + " noticed. Copy it to an ordinary file and send that");
            }
        }
    }

    /** Refuses if the file is not the version that {@code source} names. */
    void check(SourceFingerprint source) throws StorageException {
        FileFacts facts = storage.facts(Path.of(source.path()));
        if (facts == null) {
            throw new SourceChangedException(source.path() + " is gone. Send it again when it is back");
        }
        if (!source.matches(facts)) {
            throw new SourceChangedException(
                    source.path() + " changed after it was handed over. Send it again to send the new version");
        }
    }

    /** Reads {@code length} bytes at {@code position} into the payload area. */
    void read(SourceFingerprint source, FragmentBuffer into, long position, int length) throws StorageException {
        read(source, into.paddedPayload(length), position, length, FileIoMode.DIRECT);
    }

    /** Reads a small file as a whole. */
    ByteBuffer readAll(SourceFingerprint source) throws StorageException {
        ByteBuffer bytes = ByteBuffer.allocate((int) source.sizeBytes());
        read(source, bytes, 0, bytes.capacity(), FileIoMode.PAGE_CACHE);
        return bytes.flip();
    }

    private void read(SourceFingerprint source, ByteBuffer into, long position, int length, FileIoMode caching)
            throws StorageException {
        check(source); // a file that is gone or was replaced has a clear message of its own
        int count;
        try (StorageFile file = storage.open(Path.of(source.path()), OpenMode.READ, caching)) {
            count = file.read(into, position);
        }
        check(source);
        if (count < length) {
            throw new SourceChangedException(
                    source.path() + " ended after " + (position + count) + " bytes and has a size of "
                            + source.sizeBytes()
                            + ". Files whose size is not what they hold, as in /sys, cannot be sent in place:"
                            + " copy it to an ordinary file and send that");
        }
    }
}
