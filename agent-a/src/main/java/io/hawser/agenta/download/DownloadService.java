package io.hawser.agenta.download;

import io.hawser.agenta.namespace.Namespace.Place;
import io.hawser.agenta.namespace.NamespaceService;
import io.hawser.core.hop.Outcome;
import io.hawser.core.remote.ChecksumAlgorithm;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.thread.DaemonThreads;
import io.hawser.store.spool.TransferSnapshot;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Makes the source that a download reads, the spool's copy or the file at the far end, within the memory that all downloads of the
 * node share. Also has the thread that computes checksums.
 *
 * <p>Thread: the loop.
 */
public final class DownloadService {
    /** Blocks of one fragment that all downloads together have under way from the far ends. */
    public static final int FAR_BLOCKS = 20;

    /** Of one download: what a link of 100 Mbit/s carries in 1.5 s, so that a long one stays full; the next begins with the rest. */
    private static final int FAR_BLOCKS_OF_ONE_DOWNLOAD = 18;

    /** Blocks from the spool's copies: they share the memory that the spool sends from. */
    private static final int OWN_BLOCKS = 4;

    private final NamespaceService names;
    private final EventLoop loop;
    private final Duration readTime;
    private final ReadBudget farReads;
    private final ReadBudget ownReads;
    private long sentBytes;
    private final Executor checksums =
            DaemonThreads.pool(DaemonThreads.named("hawser-checksum"), 1, new LinkedBlockingQueue<>());

    /** {@code readTime} is how long a far end may take to send a block, or to compute a checksum. */
    public DownloadService(NamespaceService names, Duration readTime, EventLoop loop) {
        this.names = names;
        this.loop = loop;
        this.readTime = readTime;
        this.farReads = new ReadBudget(FAR_BLOCKS, FAR_BLOCKS_OF_ONE_DOWNLOAD, loop);
        this.ownReads = new ReadBudget(OWN_BLOCKS, OWN_BLOCKS, loop);
    }

    /** A client was sent that many bytes of a file. */
    public void sent(int bytes) {
        sentBytes += bytes;
    }

    /** Bytes of files that clients were sent since the start. */
    public long sentBytes() {
        return sentBytes;
    }

    NamespaceService names() {
        return names;
    }

    EventLoop loop() {
        return loop;
    }

    public Runnable checksum(
            VersionedSource source, RequestedRange span, ChecksumAlgorithm algorithm, Outcome.Callback<String> done) {
        return source.checksum(span, algorithm, checksums, loop, done);
    }

    VersionedSource copy(TransferSnapshot file) {
        assert loop.inEventLoop();
        return new SpoolSource(names.spool(), ownReads, file);
    }

    /**
     * A file at the far end.
     *
     * @param place where it is
     * @param renamed its name when the renames that are on their way there have been made; usually the same
     */
    VersionedSource remote(RemoteFile version, Place place, String renamed) {
        assert loop.inEventLoop();
        return new RemoteSource(
                names.remoteFiles(), farReads, place, renamed, version, names.fragmentSizeBytes(), readTime);
    }
}
