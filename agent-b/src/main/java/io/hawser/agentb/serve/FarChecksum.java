package io.hawser.agentb.serve;

import io.hawser.agentb.files.ServedFiles;
import io.hawser.core.hop.Outcome;
import io.hawser.core.remote.Question;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.remote.RunningChecksum;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Computes a checksum that the far server does not offer, by reading the file.
 *
 * <p>Thread: one at a time.
 */
final class FarChecksum implements ServedFiles.SlicedChecksum {
    private static final int BLOCK_BYTES = 256 << 10;
    private static final int SLICE_BYTES = 16 << 20;

    private final FarStreams streams;
    private final Question.Checksum question;
    private final RemoteFile file;
    private final RunningChecksum sum;
    private final long end;
    private long position;

    FarChecksum(FarStreams streams, Question.Checksum question, RemoteFile file) {
        this.streams = streams;
        this.question = question;
        this.file = file;
        this.sum = RunningChecksum.of(question.algorithm());
        this.position = question.offset();
        long rest = Math.max(0, file.sizeBytes() - question.offset());
        this.end = question.offset() + (question.length() < 0 ? rest : Math.min(rest, question.length()));
    }

    @Override
    public Outcome<String> nextSlice() {
        return FarRefusals.attempt(question.name(), this::slice);
    }

    private Outcome<String> slice() throws IOException {
        long sliceEnd = Math.min(end, position + SLICE_BYTES);
        ByteBuffer bytes = ByteBuffer.allocate(BLOCK_BYTES);
        while (position < sliceEnd) {
            bytes.clear().limit((int) Math.min(BLOCK_BYTES, sliceEnd - position));
            streams.read(question.name(), file.fingerprint(), position, bytes);
            position += bytes.position();
            sum.update(bytes.flip());
        }
        return Outcome.of(position < end ? "" : sum.hex());
    }

    @Override
    public void close() {
        streams.done(question.name(), file.fingerprint(), position);
    }
}
