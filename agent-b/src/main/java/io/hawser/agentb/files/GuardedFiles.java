package io.hawser.agentb.files;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.remote.Question;
import io.hawser.core.remote.RemoteFile;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns whatever {@code files} throws into a refusal, so that every question gets its answer and every buffer returns. A server's reply that
 * overflows the stack is an example.
 *
 * <p>Thread: any.
 */
record GuardedFiles(ServedFiles files) implements ServedFiles {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedFiles.class);

    @Override
    public Outcome<RemoteFile> stat(String name) {
        return guarded(() -> files.stat(name));
    }

    @Override
    public Outcome<String> list(String name, String after, ByteBuffer into) {
        return guarded(() -> files.list(name, after, into));
    }

    @Override
    public Outcome<RemoteFile> read(Question.Read question, ByteBuffer into) {
        return guarded(() -> files.read(question, into));
    }

    @Override
    public Outcome<SlicedChecksum> checksum(Question.Checksum question) {
        Outcome<SlicedChecksum> begun = guarded(() -> files.checksum(question));
        return begun.isRefused() ? begun : Outcome.of(new GuardedChecksum(begun.get()));
    }

    private record GuardedChecksum(SlicedChecksum checksum) implements SlicedChecksum {
        @Override
        public Outcome<String> nextSlice() {
            return guarded(checksum::nextSlice);
        }

        @Override
        public void close() {
            checksum.close();
        }
    }

    private static <T> Outcome<T> guarded(Supplier<Outcome<T>> question) {
        try {
            return question.get();
        } catch (OutOfMemoryError e) {
            throw e; // it ends the process
        } catch (Throwable e) {
            LOG.atError().setCause(e).log("a question about a file failed unexpectedly");
            return Outcome.refused(ErrorCode.STORAGE_FAILED, "Input/output error");
        }
    }
}
