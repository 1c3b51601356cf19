package io.hawser.agenta.download;

import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.remote.ChecksumAlgorithm;
import io.hawser.core.remote.RunningChecksum;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * The checksum of a range of a source: block by block, computed on another thread than the loop.
 *
 * <p>Thread: the loop; the callback on it too.
 */
final class RangeChecksum implements DownloadWindow.Sink {
    private final RunningChecksum checksum;
    private final Executor worker;
    private final Executor loop;
    private final Outcome.Callback<String> done;
    private final DownloadWindow window;

    RangeChecksum(
            VersionedSource source,
            DownloadWindow.Range range,
            ChecksumAlgorithm algorithm,
            Executor worker,
            Executor loop,
            Outcome.Callback<String> done) {
        this.checksum = RunningChecksum.of(algorithm);
        this.worker = worker;
        this.loop = loop;
        this.done = done;
        this.window = new DownloadWindow(source, List.of(range), true, this);
    }

    /** Begins; returns what ends it. See {@link VersionedSource#checksum}. */
    Runnable start() {
        loop.execute(window::want);
        return window::cancel;
    }

    @Override
    public void block(FileChunk block) {
        worker.execute(() -> {
            checksum.update(block.bytes(0, block.length()));
            loop.execute(() -> {
                block.release();
                window.want();
            });
        });
    }

    @Override
    public void complete() {
        done.accept(Outcome.of(checksum.hex()));
    }

    @Override
    public void failed(Refusal why) {
        done.accept(new Outcome<>(null, why));
    }

    @Override
    public void giveBackIfStalled() {}
}
