package io.hawser.agentb.serve;

import io.hawser.agentb.blocks.NoPortException;
import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.agentb.deliver.ftp.FarRefusedException;
import io.hawser.agentb.deliver.ftp.FarSession;
import io.hawser.core.hop.ErrorCode;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins downloads: from {@code gridftp://} in MODE E over several connections, from others in stream mode. If a server refuses MODE E or cannot dial
 * agent-b, it uses stream mode for {@value #STREAM_MODE_MINUTES} minutes.
 *
 * <p>Thread: any.
 */
final class Retriever {
    private static final Logger LOG = LoggerFactory.getLogger(Retriever.class);
    private static final int MAX_WINDOW_BYTES = 4 << 20;
    private static final int ALL_WINDOWS_BYTES = 16 << 20;
    private static final long STREAM_MODE_MINUTES = 5;

    private final FarOptions options;
    private final boolean inBlocks;
    private final int windowBytes;
    private boolean blocksDisabled;
    private long disabledNanos;

    /** @param maxConcurrent the most downloads at once */
    Retriever(FarServer server, FarOptions options, int maxConcurrent) {
        this.options = options;
        this.inBlocks = server.protocol().isGrid() && options.parallelism().streams() > 0;
        this.windowBytes = Math.min(MAX_WINDOW_BYTES, ALL_WINDOWS_BYTES / maxConcurrent);
    }

    /**
     * @param start the first byte
     * @param end the size of the file, more than {@code start}
     * @throws NotServedException as the server refuses it
     */
    FarRetrieval begin(FarSession session, String path, long start, long end) throws IOException {
        if (!usesBlocks()) {
            return StreamRetrieval.begin(session, path, start);
        }
        try {
            return new FallbackOnTimeout(BlockRetrieval.begin(session, path, start, end, options, windowBytes));
        } catch (NoDataConnectionException e) {
            disableBlocks(String.valueOf(e.getMessage()));
            throw e; // the session is lost; the retry uses stream mode
        } catch (NoPortException e) {
            FarRetrieval instead = StreamRetrieval.begin(session, path, start);
            disableBlocks(String.valueOf(e.getMessage()));
            return instead;
        } catch (FarRefusedException e) {
            ErrorCode code = FarRefusals.of(e, ErrorCode.STORAGE_FAILED).code();
            if (code != ErrorCode.STORAGE_FAILED && code != ErrorCode.UNREACHABLE) {
                throw FarRefusals.notServed(e, code); // it concerns the file, not the mode
            }
            FarRetrieval instead = StreamRetrieval.begin(session, path, start);
            disableBlocks(String.valueOf(e.getMessage()));
            return instead;
        }
    }

    private synchronized boolean usesBlocks() {
        if (blocksDisabled && System.nanoTime() - disabledNanos > TimeUnit.MINUTES.toNanos(STREAM_MODE_MINUTES)) {
            blocksDisabled = false;
        }
        return inBlocks && !blocksDisabled;
    }

    private synchronized void disableBlocks(String reason) {
        if (!blocksDisabled) {
            LOG.atWarn()
                    .addKeyValue("reason", reason)
                    .log(
                            "reading from the far server in stream mode for a while; --serve-streams 0 sets this for good");
        }
        blocksDisabled = true;
        disabledNanos = System.nanoTime();
    }

    /** Disables blocks after a timeout: the server may send them in an order that needs more memory than the window has. */
    private final class FallbackOnTimeout implements FarRetrieval {
        private final FarRetrieval retrieval;

        FallbackOnTimeout(FarRetrieval retrieval) {
            this.retrieval = retrieval;
        }

        @Override
        public void take(ByteBuffer into, int most) throws IOException {
            try {
                retrieval.take(into, most);
            } catch (SocketTimeoutException e) {
                disableBlocks("the server stopped sending blocks");
                throw e;
            }
        }

        @Override
        public void end() throws IOException {
            retrieval.end();
        }
    }
}
