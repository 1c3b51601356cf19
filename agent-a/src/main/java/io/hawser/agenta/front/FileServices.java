package io.hawser.agenta.front;

import io.hawser.agenta.download.DownloadService;
import io.hawser.agenta.namespace.ListedTopics;
import io.hawser.agenta.namespace.NamespaceOptions;
import io.hawser.agenta.namespace.NamespaceService;
import io.hawser.agenta.upload.UploadService;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.remote.RemoteFiles;
import io.hawser.store.spool.Spool;
import io.netty.channel.EventLoop;
import java.time.Duration;

/**
 * Bundles the namespace, upload and download services of agent-a for its protocol front ends.
 *
 * @param names what is where
 * @param uploads what comes in
 * @param downloads what is read
 */
public record FileServices(NamespaceService names, UploadService uploads, DownloadService downloads) {
    /**
     * Over a spool and the far ends.
     *
     * @param readTime how long a far end may take to send a block
     * @param pool memory for uploads; its buffers hold one fragment
     * @param topics what the root directory lists
     * @param remote the files at the far ends; it has memory for {@link DownloadService#FAR_BLOCKS} blocks
     * @param loop where everything runs; it must be the spool's
     */
    public static FileServices over(
            NamespaceOptions options,
            Duration readTime,
            FragmentBufferPool pool,
            Spool spool,
            ListedTopics topics,
            RemoteFiles remote,
            EventLoop loop) {
        NamespaceService names = new NamespaceService(options, pool.payloadCapacity(), spool, remote, topics, loop);
        return new FileServices(
                names, new UploadService(names, pool, loop), new DownloadService(names, readTime, loop));
    }
}
