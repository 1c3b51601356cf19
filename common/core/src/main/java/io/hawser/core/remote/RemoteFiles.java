package io.hawser.core.remote;

import io.hawser.core.hop.Outcome;
import io.hawser.core.model.Topic;
import java.time.Duration;
import java.util.List;

/**
 * The files at a topic's far end, as its far end shows them. Names are segments joined by {@code /}; the empty name is the root.
 *
 * <p>While no broker or no far end is connected a call waits; each new session repeats it. After its timeout it is cancelled and refused with
 * {@code UNREACHABLE} ({@link #AWAY}, {@link #SILENT}). A stat and a listing also time out while the far end has the question; reads and
 * checksums do not. Other refusals: {@code NOT_FOUND}, {@code NOT_ALLOWED} (permission, or the far end does not serve), {@code BAD_NAME}, {@code
 * SOURCE_CHANGED}, {@code STORAGE_FAILED}; their details are POSIX messages such as {@code No such file or directory}.
 *
 * <p>Thread: the loop; callbacks on it too, never inside the call that asked.
 */
public interface RemoteFiles {
    /** The detail of {@code UNREACHABLE} if no node could be asked. */
    String AWAY = "the far end is not connected";

    /** The detail of {@code UNREACHABLE} if the far end has the question and does not answer. */
    String SILENT = "the far end does not answer";

    /** The detail for a write below a symbolic link. */
    String NOT_WRITTEN_THROUGH = "Permission denied: symbolic links are not followed at the destination";

    /** The detail of {@code NOT_ALLOWED} for a path below a symbolic link that leads out of the served directory. */
    String LEADS_OUT = "Permission denied: a symbolic link in this path leads out of the directory";

    /** The detail of {@code NOT_ALLOWED} if the far end is configured to serve no files. */
    String CLOSED = "Permission denied: the far end shows no files";

    /**
     * The detail of {@code NOT_ALLOWED} if all consumers of the topic are connected and are applications, which have no files to show or to
     * patch.
     */
    String APPLICATION = "the destination is an application, which takes whole files and shows none";

    /** The facts of the file or directory {@code name}. */
    void stat(Topic topic, String name, CallTimeouts timeouts, Outcome.Callback<RemoteFile> done);

    /** The entries of a directory, by name, without {@code .} and {@code ..}. {@code NOT_DIRECTORY} if it is a file. */
    void list(Topic topic, String name, CallTimeouts timeouts, Outcome.Callback<List<RemoteFile>> done);

    /**
     * Reads bytes of a file. The number of a caller's reads in flight bounds the memory for its download at each node.
     *
     * @param awayTimeout the time limit while no node can be asked
     * @param fingerprint the requested version, {@code SOURCE_CHANGED} if the file has changed; or empty for any
     * @param length 1 to the fragment size
     */
    Call read(
            Topic topic,
            String name,
            String fingerprint,
            long offset,
            int length,
            Duration awayTimeout,
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
            Duration awayTimeout,
            Outcome.Callback<String> done);

    /** A call in flight. */
    interface Call {
        /** Cancels the call: its callback does not run. */
        void cancel();
    }
}
