package io.hawser.agenta.http;

import io.hawser.agenta.download.DownloadService;
import io.hawser.agenta.download.DownloadWindow;
import io.hawser.agenta.download.FileChunk;
import io.hawser.agenta.download.VersionedSource;
import io.hawser.agenta.http.Multipart.Part;
import io.hawser.core.hop.Refusal;
import io.hawser.ops.http.ExchangeListener;
import io.hawser.ops.http.ResponseHead;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends ranges of a file, as fast as the client takes them. A source that cannot be read on, or is no longer the same, breaks the connection:
 * the client never takes what it has for the whole.
 *
 * <p>Thread: the loop.
 */
final class FileDownload implements ExchangeListener, DownloadWindow.Sink {
    private static final Logger LOG = LoggerFactory.getLogger(FileDownload.class);
    private static final int PIECE_BYTES = 64 << 10;
    /** How long a client may take nothing before others get its blocks. */
    private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ClientRequest request;
    private final DownloadService downloads;
    private final Multipart body;
    private final Iterator<Part> parts;
    private final DownloadWindow window;
    private final SendStall stall;
    private @Nullable FileChunk block;
    private int used;
    private long leftInPart;
    private long sentBytes;
    private boolean wanting;
    private boolean complete;
    private boolean pumping;
    private boolean over;

    FileDownload(ClientRequest request, VersionedSource source, Multipart body) {
        this.request = request;
        this.downloads = request.services().files().downloads();
        this.body = body;
        this.parts = body.parts().iterator();
        this.window = new DownloadWindow(source, body.ranges(), true, this);
        this.stall = new SendStall(
                request,
                () -> complete || !request.exchange().isWritable(),
                () -> breakOff("408 nobody reads the response"));
    }

    void begin(ResponseHead head) {
        request.phase(this);
        if (!request.beginResponse(head, body.lengthBytes())) {
            end("the client was gone before the response");
            return;
        }
        stall.begin();
        window.start();
        pump();
    }

    private void pump() {
        if (pumping) {
            return;
        }
        pumping = true;
        while (!over && !complete && request.exchange().isWritable() && sendOne()) {
            // one piece after the other
        }
        pumping = false;
    }

    /** Sends a piece if there is one now; if not, {@link #block} or {@link #complete} follows. */
    private boolean sendOne() {
        if (block == null && !wanting) {
            wanting = true;
            window.want(); // perhaps the block, or the end, inside this call
        }
        FileChunk from = block;
        if (from == null || over) {
            return false;
        }
        if (leftInPart == 0) {
            Part next = parts.next();
            leftInPart = next.range().to() - next.range().from();
            write(next.head());
        }
        int count = Math.min(PIECE_BYTES, from.length() - used);
        request.exchange().write(from.bytes(used, count));
        used += count;
        leftInPart -= count;
        sentBytes += count;
        downloads.sent(count);
        if (used == from.length()) {
            release(); // it is null if the write failed at once
        }
        return true;
    }

    private void write(String text) {
        if (!text.isEmpty()) {
            request.exchange().write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
        }
    }

    private void release() {
        FileChunk held = block;
        block = null;
        if (held != null) {
            held.release();
        }
    }

    @Override
    public void block(FileChunk next) {
        wanting = false;
        block = next;
        used = 0;
        pump();
    }

    @Override
    public void complete() {
        wanting = false;
        complete = true;
        stall.progressed();
        write(body.end());
        request.exchange().finish();
    }

    @Override
    public void failed(Refusal why) {
        LOG.atWarn()
                .addKeyValue("path", request.path())
                .addKeyValue("sent", sentBytes)
                .addKeyValue("why", why)
                .log("download broken off");
        breakOff("broken off: " + why.detail());
    }

    @Override
    public void giveBackIfStalled() {
        if (stall.isOver(STALLED_NANOS)) {
            wanting = false;
            window.pause();
            FileChunk held = block;
            if (held != null) {
                block = null;
                window.putBack(held, used);
            }
        }
    }

    @Override
    public void onWritable() {
        pump();
    }

    @Override
    public void onProgress() {
        stall.progressed();
    }

    @Override
    public void onSent() {
        end("");
    }

    @Override
    public void onGone() {
        end("the client was gone before the end");
    }

    @Override
    public void onStop() {
        breakOff("503 this server is stopping");
    }

    private void breakOff(String why) {
        if (!over) {
            end(why);
            request.exchange().abort();
        }
    }

    private void end(String refusal) {
        if (!over) {
            over = true;
            stall.end();
            window.cancel();
            release();
            request.records().moved("", sentBytes, refusal);
        }
    }
}
