package io.hawser.agentb.serve;

import io.hawser.agentb.blocks.BlockConnections;
import io.hawser.agentb.blocks.BlockTransfer;
import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.ftp.FarFtpClient;
import io.hawser.agentb.deliver.ftp.FarRefusedException;
import io.hawser.agentb.deliver.ftp.FarSession;
import io.hawser.core.hop.ErrorCode;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.commons.net.ftp.FTPReply;
import org.jspecify.annotations.Nullable;

/**
 * A RETR in MODE E (GFD.20 §3.4): the server dials several connections, and what it says meanwhile is read by a thread of its own.
 *
 * <p>Thread: one at a time.
 */
final class BlockRetrieval implements Retrieval {
    /** How long the EODs and the reply are waited for, once the last byte is here. */
    private static final int LAST_WORDS_MILLIS = 2_000;

    private final FarFtpClient client;
    private final BlockTransfer transfer;
    private final FarOptions options;
    private final int usualTimeoutMillis;
    private final CountDownLatch replied = new CountDownLatch(1);
    private volatile @Nullable FarRefusedException refused;
    private boolean began;

    private BlockRetrieval(FarSession session, BlockTransfer transfer, FarOptions options) throws IOException {
        this.client = session.client();
        this.transfer = transfer;
        this.options = options;
        this.usualTimeoutMillis = client.getSoTimeout();
    }

    /**
     * Begins.
     *
     * @param start the first byte; what is before it is left out by {@code REST 0-start}
     * @param end the size of the file
     * @throws FarRefusedException if the server refuses it in this mode; the session is whole
     * @throws NoDataConnectionException if it dials nothing; the session is of no use any more
     */
    static BlockRetrieval begin(
            FarSession session, String path, long start, long end, FarOptions options, int windowBytes)
            throws IOException {
        BlockConnections connections = session.blocks(options);
        if (start > 0) {
            session.client().command("REST", "0-" + start);
        }
        BlockTransfer transfer = new BlockTransfer(start, end, windowBytes);
        connections.begin(transfer);
        int code = session.client().sendCommand("RETR", path);
        if (!FTPReply.isPositivePreliminary(code)) {
            throw new FarRefusedException("RETR", code, session.client().getReplyString());
        }
        BlockRetrieval retrieval = new BlockRetrieval(session, transfer, options);
        retrieval.listen();
        if (!transfer.awaitDialled(options.timeouts().connect().toMillis())) {
            retrieval.tell();
            throw new NoDataConnectionException();
        }
        return retrieval;
    }

    private void listen() throws IOException {
        client.setSoTimeout(0); // whoever takes bytes notices silence
        Thread thread = new Thread(this::readReplies, "hawser-far-replies");
        thread.setDaemon(true);
        thread.start();
    }

    private void readReplies() {
        try {
            int code = client.getReply();
            while (FTPReply.isPositivePreliminary(code)) {
                code = client.getReply();
            }
            if (!FTPReply.isPositiveCompletion(code)) {
                FarRefusedException words = new FarRefusedException("RETR", code, client.getReplyString());
                refused = words;
                transfer.fail(words);
            }
        } catch (IOException e) {
            transfer.fail(e);
        } finally {
            replied.countDown();
        }
    }

    @Override
    public void take(ByteBuffer into, int most) throws IOException {
        try {
            transfer.take(into, most, options.timeouts().silence().toNanos());
            began = true;
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            if (!began) {
                tell();
            }
            throw NotServedException.unreachable("The far server ended the file early");
        }
    }

    /** Throws what the server says for a reason, if it says something. */
    private void tell() throws IOException {
        awaitReply();
        FarRefusedException words = refused;
        if (words != null) {
            client.setSoTimeout(usualTimeoutMillis);
            throw FarRefusals.notServed(words, ErrorCode.NOT_ALLOWED); // it is there, it was looked at
        }
    }

    private boolean awaitReply() throws IOException {
        try {
            return replied.await(LAST_WORDS_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void end() throws IOException {
        if (!transfer.awaitEnd(LAST_WORDS_MILLIS) || !awaitReply() || refused != null) {
            throw new IOException("the far server does not say that the file ends here");
        }
        client.setSoTimeout(usualTimeoutMillis);
    }
}
