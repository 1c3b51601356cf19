package io.hawser.agentb.serve;

import io.hawser.agentb.blocks.BlockConnectionListener;
import io.hawser.agentb.blocks.BlockTransfer;
import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.ftp.FarFtpClient;
import io.hawser.agentb.deliver.ftp.FarRefusedException;
import io.hawser.agentb.deliver.ftp.FarSession;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.thread.DaemonThreads;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.commons.net.ftp.FTPReply;
import org.jspecify.annotations.Nullable;

/**
 * A RETR in MODE E (GFD.20 §3.4): the server dials several connections, and a thread of its own reads the replies meanwhile.
 *
 * <p>Thread: one at a time.
 */
final class BlockRetrieval implements FarRetrieval {
    /** The longest wait for EODs and the reply after the last byte. */
    private static final int END_TIMEOUT_MILLIS = 2_000;

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
     * Sends the RETR and waits for the first connection.
     *
     * @param start the first byte; {@code REST 0-start} skips those before it
     * @param end the size of the file
     * @throws FarRefusedException if the server refuses this mode; the session can be used again
     * @throws NoDataConnectionException if it does not dial; the session cannot be used any more
     */
    static BlockRetrieval begin(
            FarSession session, String path, long start, long end, FarOptions options, int windowBytes)
            throws IOException {
        BlockConnectionListener connections = session.blocks(options);
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
        retrieval.startReadingReplies();
        if (!transfer.awaitDialled(options.timeouts().connect().toMillis())) {
            retrieval.throwRefusal();
            throw new NoDataConnectionException();
        }
        return retrieval;
    }

    private void startReadingReplies() throws IOException {
        client.setSoTimeout(0); // take() notices silence
        Thread unused = DaemonThreads.start("hawser-far-replies", this::readReplies);
    }

    private void readReplies() {
        try {
            int code = client.getReply();
            while (FTPReply.isPositivePreliminary(code)) {
                code = client.getReply();
            }
            if (!FTPReply.isPositiveCompletion(code)) {
                FarRefusedException refusal = new FarRefusedException("RETR", code, client.getReplyString());
                refused = refusal;
                transfer.fail(refusal);
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
                throwRefusal();
            }
            throw NotServedException.unreachable("The far server ended the file early");
        }
    }

    /** Throws the server's refusal, if it sends one in time. */
    private void throwRefusal() throws IOException {
        awaitReply();
        FarRefusedException refusal = refused;
        if (refusal != null) {
            client.setSoTimeout(usualTimeoutMillis);
            throw FarRefusals.notServed(refusal, ErrorCode.NOT_ALLOWED); // the file exists, as the stat showed
        }
    }

    private boolean awaitReply() throws IOException {
        try {
            return replied.await(END_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void end() throws IOException {
        if (!transfer.awaitEnd(END_TIMEOUT_MILLIS) || !awaitReply() || refused != null) {
            throw new IOException("the far server does not confirm the end of the file");
        }
        client.setSoTimeout(usualTimeoutMillis);
    }
}
