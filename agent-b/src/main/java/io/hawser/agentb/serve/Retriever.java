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
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How files are retrieved: from {@code gridftp://} in MODE E over several connections, from others in stream mode. A server that does
 * not do MODE E, or cannot dial to us, is read from in stream mode too, and asked again after a while.
 *
 * <p>Thread: any.
 */
final class Retriever {
    private static final Logger LOG = LoggerFactory.getLogger(Retriever.class);
    private static final int MOST_WINDOW_BYTES = 4 << 20;
    private static final int ALL_WINDOWS_BYTES = 16 << 20;
    private static final long WITHOUT_BLOCKS_NANOS = Duration.ofMinutes(5).toNanos();

    private final FarOptions options;
    private final boolean inBlocks;
    private final int windowBytes;
    private boolean withoutBlocks;
    private long refusedNanos;

    /** @param atOnce how many files are retrieved at once, at most */
    Retriever(FarServer server, FarOptions options, int atOnce) {
        this.options = options;
        this.inBlocks = server.protocol().isGrid() && options.parallelism().streams() > 0;
        this.windowBytes = Math.min(MOST_WINDOW_BYTES, ALL_WINDOWS_BYTES / atOnce);
    }

    /**
     * Begins.
     *
     * @param start the first byte
     * @param end the size of the file, more than {@code start}
     * @throws NotServedException as the server refuses it
     */
    Retrieval begin(FarSession session, String path, long start, long end) throws IOException {
        if (!usesBlocks()) {
            return StreamRetrieval.begin(session, path, start);
        }
        try {
            return new Watched(BlockRetrieval.begin(session, path, start, end, options, windowBytes));
        } catch (NoDataConnectionException e) {
            doWithoutBlocks(String.valueOf(e.getMessage()));
            throw e; // its session is lost; who asks again is answered in stream mode
        } catch (NoPortException e) {
            Retrieval instead = StreamRetrieval.begin(session, path, start);
            doWithoutBlocks(String.valueOf(e.getMessage()));
            return instead;
        } catch (FarRefusedException e) {
            ErrorCode known = FarRefusals.of(e, ErrorCode.STORAGE_FAILED).code();
            if (known != ErrorCode.STORAGE_FAILED && known != ErrorCode.UNREACHABLE) {
                throw FarRefusals.notServed(e, known); // it is about the file
            }
            Retrieval instead = StreamRetrieval.begin(session, path, start);
            doWithoutBlocks(String.valueOf(e.getMessage()));
            return instead;
        }
    }

    private synchronized boolean usesBlocks() {
        if (withoutBlocks && System.nanoTime() - refusedNanos > WITHOUT_BLOCKS_NANOS) {
            withoutBlocks = false;
        }
        return inBlocks && !withoutBlocks;
    }

    private synchronized void doWithoutBlocks(String reason) {
        if (!withoutBlocks) {
            LOG.atWarn()
                    .addKeyValue("reason", reason)
                    .log(
                            "the far server is read from in stream mode for a while; --serve-streams 0 makes this the rule");
        }
        withoutBlocks = true;
        refusedNanos = System.nanoTime();
    }

    /** A server whose blocks stop may have put them into an order that needs more memory than there is. */
    private final class Watched implements Retrieval {
        private final Retrieval retrieval;

        Watched(Retrieval retrieval) {
            this.retrieval = retrieval;
        }

        @Override
        public void take(ByteBuffer into, int most) throws IOException {
            try {
                retrieval.take(into, most);
            } catch (SocketTimeoutException e) {
                doWithoutBlocks("blocks stopped coming");
                throw e;
            }
        }

        @Override
        public void end() throws IOException {
            retrieval.end();
        }
    }
}
