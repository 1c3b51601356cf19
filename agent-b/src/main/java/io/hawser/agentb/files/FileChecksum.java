package io.hawser.agentb.files;

import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
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
 * The checksum of a range of a file, {@value #SLICE_BYTES} bytes at a time.
 *
 * <p>Thread: one at a time.
 */
final class FileChecksum implements ServedFiles.SlicedChecksum {
    private static final Logger LOG = LoggerFactory.getLogger(FileChecksum.class);
    private static final int SLICE_BYTES = 16 << 20;
    private static final int READ_BYTES = 128 << 10;

    private final Question.Checksum question;
    private final SeekableByteChannel file;
    private final Supplier<Outcome<RemoteFile>> stillThere;
    private final RunningChecksum sum;
    private final long end;
    private long position;

    /**
     * Takes over an open file.
     *
     * @param stillThere refused if what was read is not of one version
     */
    FileChecksum(
            Question.Checksum question,
            SeekableByteChannel file,
            long sizeBytes,
            Supplier<Outcome<RemoteFile>> stillThere) {
        this.question = question;
        this.file = file;
        this.stillThere = stillThere;
        this.sum = RunningChecksum.of(question.algorithm());
        this.position = question.offset();
        long rest = Math.max(0, sizeBytes - question.offset());
        this.end = question.offset() + (question.length() < 0 ? rest : Math.min(rest, question.length()));
    }

    @Override
    public Outcome<String> goOn() {
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
                break; // it was cut: the last look says so
            }
            position += count;
            sum.update(bytes.flip());
        }
        if (position < end && position == sliceEnd) {
            return Outcome.of("");
        }
        Refusal changed = stillThere.get().refusal();
        return changed == null ? Outcome.of(sum.hex()) : new Outcome<>(null, changed);
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("a file that was read could not be closed");
        }
    }
}
