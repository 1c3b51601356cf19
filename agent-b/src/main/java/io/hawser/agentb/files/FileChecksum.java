package io.hawser.agentb.files;

import io.hawser.core.hop.Outcome;
import io.hawser.core.remote.Question;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.remote.RunningChecksum;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Computes the checksum of a range of a file, {@value #SLICE_BYTES} bytes at a time.
 *
 * <p>Thread: one at a time.
 */
final class FileChecksum implements ServedFiles.SlicedChecksum {
    private static final Logger LOG = LoggerFactory.getLogger(FileChecksum.class);
    private static final int SLICE_BYTES = 16 << 20;
    private static final int READ_BYTES = 128 << 10;

    private final Question.Checksum question;
    private final SeekableByteChannel file;
    private final Supplier<Outcome<RemoteFile>> versionCheck;
    private final RunningChecksum sum;
    private final long end;
    private long position;

    /**
     * Takes over an open file.
     *
     * @param versionCheck refused if the file has changed since it was opened
     */
    FileChecksum(
            Question.Checksum question,
            SeekableByteChannel file,
            long sizeBytes,
            Supplier<Outcome<RemoteFile>> versionCheck) {
        this.question = question;
        this.file = file;
        this.versionCheck = versionCheck;
        this.sum = RunningChecksum.of(question.algorithm());
        this.position = question.offset();
        long rest = Math.max(0, sizeBytes - question.offset());
        this.end = question.offset() + (question.length() < 0 ? rest : Math.min(rest, question.length()));
    }

    @Override
    public Outcome<String> nextSlice() {
        return PosixRefusals.attempt(question.name(), this::slice);
    }

    private Outcome<String> slice() throws IOException {
        long sliceEnd = Math.min(end, position + SLICE_BYTES);
        ByteBuffer bytes = ByteBuffer.allocate(READ_BYTES);
        file.position(position);
        while (position < sliceEnd) {
            bytes.clear().limit((int) Math.min(READ_BYTES, sliceEnd - position));
            int count = file.read(bytes);
            if (count < 0) {
                break; // it was truncated: the version check shows it
            }
            position += count;
            sum.update(bytes.flip());
        }
        if (position < end && position == sliceEnd) {
            return Outcome.of("");
        }
        return versionCheck.get().map(unchanged -> sum.hex());
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("closing a file failed");
        }
    }
}
