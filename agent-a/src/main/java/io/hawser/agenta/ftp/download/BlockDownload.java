package io.hawser.agenta.ftp.download;

import io.hawser.agenta.download.Block;
import io.hawser.agenta.download.BlockSource;
import io.hawser.agenta.download.DownloadWindow;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.hop.Refusal;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A download in MODE E: blocks as they come, on whichever connection can take one.
 *
 * <p>Thread: the loop.
 */
final class BlockDownload implements BlockSending.Content, DownloadWindow.Sink {
    private static final int PIECE_BYTES = 128 << 10;
    /** How long a client may take nothing before others get its blocks. */
    private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final FtpPath path;
    private final DownloadWindow window;
    private final long baseBytes;
    private final BlockSending sending;
    private @Nullable Block block;
    private int used;
    private boolean wanting;
    private boolean complete;

    private BlockDownload(
            FtpSession session, FtpPath path, BlockSource source, List<DownloadWindow.Range> ranges, long baseBytes) {
        this.path = path;
        this.baseBytes = baseBytes;
        this.window = new DownloadWindow(source, ranges, false, this);
        this.sending = new BlockSending(session, path.toString(), this);
    }

    /**
     * Starts to send.
     *
     * @param ranges what of the file is sent
     * @param baseBytes the position in the file that the client calls 0
     */
    static void begin(
            FtpSession session, FtpPath path, BlockSource source, List<DownloadWindow.Range> ranges, long baseBytes) {
        BlockDownload download = new BlockDownload(session, path, source, ranges, baseBytes);
        download.sending.begin();
        download.window.start();
    }

    @Override
    public boolean sendOne(BlockSending.Target target) {
        Block from = block;
        if (from == null) {
            if (!wanting && !complete) {
                wanting = true;
                window.want(); // perhaps the block, or the end, inside this call
            }
            from = block;
        }
        if (from == null) {
            return false;
        }
        int count = Math.min(PIECE_BYTES, from.length() - used);
        target.block(from.offset() + used - baseBytes, from.bytes(used, count));
        used += count;
        if (used == from.length() && block != null) {
            block = null;
            from.release();
        }
        return true;
    }

    @Override
    public boolean isComplete() {
        return complete && block == null;
    }

    @Override
    public void block(Block next) {
        wanting = false;
        block = next;
        used = 0;
        sending.pump();
    }

    @Override
    public void complete() {
        wanting = false;
        complete = true;
        sending.pump();
    }

    @Override
    public void failed(Refusal why) {
        sending.fail(DownloadTransfer.reply(path, why));
    }

    @Override
    public void giveBackIfStalled() {
        if (sending.isStalled(STALLED_NANOS)) {
            wanting = false;
            window.pause();
            Block held = block;
            if (held != null) {
                block = null;
                window.putBack(held, used);
            }
        }
    }

    @Override
    public void over() {
        window.cancel();
        Block held = block;
        if (held != null) {
            block = null;
            held.release();
        }
    }
}
