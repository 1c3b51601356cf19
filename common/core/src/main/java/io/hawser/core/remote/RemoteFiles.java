package io.hawser.core.remote;

import io.hawser.core.hop.Outcome;
import io.hawser.core.model.Topic;
import java.time.Duration;
import java.util.List;

/**
 * The files behind a topic, as its far edge shows them. Names are segments joined by {@code /}; the empty name is the root.
 *
 * <p>While no broker or no far edge is connected a question waits, and it is asked again on each new session; after its {@code
 * patience} it is taken back and refused with {@code UNREACHABLE} ({@link #AWAY}, {@link #SILENT}). A listing and a look at a name also
 * end when the far edge has the question for too long; reads and checksums do not. Other refusals: {@code NOT_FOUND}, {@code NOT_ALLOWED} (permission, or the
 * far edge does not serve), {@code BAD_NAME}, {@code SOURCE_CHANGED}, {@code STORAGE_FAILED}; their details are POSIX messages such
 * as {@code No such file or directory}.
 *
 * <p>Thread: the loop; callbacks on it too, never inside the call that asked.
 */
public interface RemoteFiles {
    /** The detail of {@code UNREACHABLE} where nobody could be asked. */
    String AWAY = "the far end is not connected";

    /** The detail of {@code UNREACHABLE} where the far edge has the question and says nothing. */
    String SILENT = "the far end does not answer";

    /** Why nothing is written below a symbolic link that leads to a place inside. */
    String NOT_WRITTEN_THROUGH = "Permission denied: symbolic links are not followed at the destination";

    /** The detail of {@code NOT_ALLOWED} where a symbolic link leads out of what is shown: nothing can be below it. */
    String LEADS_OUT = "Permission denied: a symbolic link in this path leads out of the directory";

    /** The detail of {@code NOT_ALLOWED} where the far edge takes files and was told to show none. */
    String CLOSED = "Permission denied: the far edge shows no files";

    /**
     * The detail of {@code NOT_ALLOWED} where all that take the topic's transfers are connected, and are applications: there are no files
     * to show, nor such of which a part could be replaced.
     */
    String APPLICATION = "the destination is an application, which takes whole files and shows none";

    /** What stands at {@code name}. */
    void stat(Topic topic, String name, CallTimeouts patience, Outcome.Callback<RemoteFile> done);

    /** The entries of a directory, by name, without {@code .} and {@code ..}. {@code NOT_DIRECTORY} if it is a file. */
    void list(Topic topic, String name, CallTimeouts patience, Outcome.Callback<List<RemoteFile>> done);

    /**
     * Bytes of a file. How many of these a caller has under way bounds the memory that its download takes at each node.
     *
     * @param patience while nobody can be asked
     * @param fingerprint the version that is wanted, {@code SOURCE_CHANGED} if it is no longer there; or empty for any
     * @param length 1 to the fragment size
     */
    Call read(
            Topic topic,
            String name,
            String fingerprint,
            long offset,
            int length,
            Duration patience,
            Outcome.Callback<RemoteBlock> done);

    /**
     * The checksum of bytes {@code [offset, offset + length)} in lower-case hex; {@code length} -1 is to the end. Takes as long as
     * reading them.
     */
    Call checksum(
            Topic topic,
            String name,
            ChecksumAlgorithm algorithm,
            long offset,
            long length,
            Duration patience,
            Outcome.Callback<String> done);

    /** A question that is under way. */
    interface Call {
        /** Nobody wants the answer any more: it is not called back. */
        void cancel();
    }
}
