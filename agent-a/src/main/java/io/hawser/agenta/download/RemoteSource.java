package io.hawser.agenta.download;

import io.hawser.agenta.namespace.Namespace.Place;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.remote.ChecksumAlgorithm;
import io.hawser.core.remote.RemoteBlock;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.remote.RemoteFiles;
import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A file at the far end, bound to one version by its fingerprint. A crash of the broker or the far end makes an answer late: the
 * question is asked again by {@link RemoteFiles}.
 *
 * <p>Thread: the loop.
 *
 * @param place where it is
 * @param renamed its name when the renames that are on their way there have been made; usually the same
 * @param file what is read
 * @param blockSizeBytes at most the fragment size
 * @param timeout how long one question may take
 */
record RemoteSource(
        RemoteFiles files,
        ReadBudget budget,
        Place place,
        String renamed,
        RemoteFile file,
        int blockSizeBytes,
        Duration timeout)
        implements VersionedSource {
    @Override
    public long sizeBytes() {
        return file.sizeBytes();
    }

    @Override
    public String version() {
        return file.fingerprint();
    }

    @Override
    public Runnable ask(long offset, int length, Outcome.Callback<FileChunk> done) {
        return new Question(offset, length, done).ask()::cancel;
    }

    /** The far end computes it. */
    @Override
    public Runnable checksum(
            RequestedRange span,
            ChecksumAlgorithm algorithm,
            Executor worker,
            Executor loop,
            Outcome.Callback<String> done) {
        long length = span.to() == RequestedRange.TO_THE_END ? -1 : span.end(sizeBytes()) - span.from();
        return files.checksum(place.topic(), place.name(), algorithm, span.from(), length, timeout, done)::cancel;
    }

    /** One read; it is asked again under the new name if a rename has been made meanwhile. */
    private final class Question {
        private final long offset;
        private final int length;
        private final Outcome.Callback<FileChunk> done;
        private RemoteFiles.@Nullable Call call;

        private Question(long offset, int length, Outcome.Callback<FileChunk> done) {
            this.offset = offset;
            this.length = length;
            this.done = done;
        }

        private Question ask() {
            call = read(place.name(), this::answered);
            return this;
        }

        private RemoteFiles.Call read(String name, Outcome.Callback<RemoteBlock> answer) {
            return files.read(place.topic(), name, file.fingerprint(), offset, length, timeout, answer);
        }

        private void answered(Outcome<RemoteBlock> outcome) {
            Refusal refusal = outcome.refusal();
            if (refusal != null && refusal.code() == ErrorCode.NOT_FOUND && !renamed.equals(place.name())) {
                call = read(renamed, again -> done.accept(block(offset, length, again)));
            } else {
                done.accept(block(offset, length, outcome));
            }
        }

        private void cancel() {
            if (call != null) {
                call.cancel();
            }
        }
    }

    private static Outcome<FileChunk> block(long offset, int length, Outcome<RemoteBlock> outcome) {
        Refusal refusal = outcome.refusal();
        if (refusal != null) {
            return new Outcome<>(
                    null,
                    refusal.code() == ErrorCode.NOT_FOUND
                            ? new Refusal(ErrorCode.SOURCE_CHANGED, "the file is no longer there")
                            : refusal);
        }
        RemoteBlock block = outcome.get();
        if (block.length() != length) {
            block.buffer().release();
            return Outcome.refused(ErrorCode.SOURCE_CHANGED, "the file has become shorter");
        }
        return Outcome.of(FileChunk.of(offset, length, block.buffer(), 0));
    }
}
