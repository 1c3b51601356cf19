package io.hawser.agentb.files;

import io.hawser.core.hop.Outcome;
import io.hawser.core.remote.Question;
import io.hawser.core.remote.RemoteFile;
import java.nio.ByteBuffer;

/**
 * The files that clients of agent-a may list and read. Refusals carry POSIX messages.
 *
 * <p>Thread: any; all calls block.
 */
public interface ServedFiles {
    Outcome<RemoteFile> stat(String name);

    /**
     * Writes the entries that come after {@code after}, as many as fit, as {@link io.hawser.core.remote.RemoteFileCodec} does.
     *
     * @return the name after which the next page begins; empty if this is the last
     */
    Outcome<String> list(String name, String after, ByteBuffer into);

    /**
     * Fills {@code into} from a file, up to its end.
     *
     * @return the file as it was before and after
     */
    Outcome<RemoteFile> read(Question.Read question, ByteBuffer into);

    Outcome<SlicedChecksum> checksum(Question.Checksum question);

    /** A checksum that is being computed, a slice at a time. */
    interface SlicedChecksum extends AutoCloseable {
        /** Reads some tens of MiB at most. The outcome's value is empty until the checksum is complete. */
        Outcome<String> nextSlice();

        @Override
        void close();
    }
}
