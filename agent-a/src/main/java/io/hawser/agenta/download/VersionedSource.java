package io.hawser.agenta.download;

import io.hawser.core.hop.Outcome;
import io.hawser.core.remote.ChecksumAlgorithm;
import java.util.concurrent.Executor;

/**
 * One version of one file, to be read block by block. It never mixes versions: when the file is no longer what it was, it refuses
 * with {@code SOURCE_CHANGED}.
 *
 * <p>Thread: the loop; callbacks on it too, never inside the call that asked.
 */
public interface VersionedSource {
    long sizeBytes();

    /** Names the version: two sources of one path with the same name have the same bytes. */
    String version();

    /** How many bytes can be asked for at once; what is asked for begins and ends at multiples of it, but for the ends of a range. */
    int blockSizeBytes();

    /** Whose bound the blocks count against. */
    ReadBudget budget();

    /**
     * Reads bytes {@code [offset, offset + length)}, which lie in the file and within one block. The callback gets exactly these,
     * or a refusal.
     *
     * @return takes back the question: it is not called back then
     */
    Runnable ask(long offset, int length, Outcome.Callback<FileChunk> done);

    /**
     * Computes the checksum of {@code span}, which begins in the file, in lower-case hex. It can take as long as reading the file, which is how it is done here.
     *
     * @param worker where what takes long runs; one task at a time is given to it
     * @return ends it; it is not called back then
     */
    default Runnable checksum(
            RequestedRange span,
            ChecksumAlgorithm algorithm,
            Executor worker,
            Executor loop,
            Outcome.Callback<String> done) {
        DownloadWindow.Range range = new DownloadWindow.Range(span.from(), span.end(sizeBytes()));
        return new RangeChecksum(this, range, algorithm, worker, loop, done).start();
    }

    /** It is going to be read: it must stay readable until {@link #closed}. */
    default void opened() {}

    /** Nothing is asked of it for a while: others need the memory. */
    default void paused() {}

    /** Nothing more is asked of it. */
    default void closed() {}
}
