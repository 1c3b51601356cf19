package io.hawser.agenta.ftp.download;

import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.control.Transfer;
import io.hawser.agenta.ftp.modee.BlockOutput;
import io.hawser.agenta.ftp.modee.BlockOutputs;
import io.hawser.agenta.ftp.session.DataPaths;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/**
 * Sends something in MODE E, from the transfer command to the final reply: over the connections of the transfer before it, or over
 * new ones to the address of the last PORT or SPOR, as many as OPTS RETR asked for. Each gets its EOD, and one of each
 * address the EOF. 226 comes when all has been handed to the system; the connections are kept.
 *
 * <p>Thread: the loop.
 */
public final class BlockSending implements Transfer, BlockOutput.User {
    private final FtpSession session;
    private final String what;
    private final Content content;
    private List<List<BlockOutput>> groups = List.of();
    private @Nullable ScheduledFuture<?> stallWatch;
    private long progressNanos;
    private int unfinished;
    private boolean connected;
    private boolean pumping;
    private boolean ending;
    private boolean done;

    /** Where the bytes come from. */
    public interface Content {
        /** Sends one block if there is one now; if not, it calls {@link #pump} later. */
        boolean sendOne(Target target);

        /** Whether all blocks have been sent. */
        boolean isComplete();

        /** The text of the reply at its good end. */
        default String summary() {
            return "Transfer complete.";
        }

        /** The transfer is over, well or not: gives back what it holds. */
        void over();
    }

    /** A connection that takes a block. */
    public interface Target {
        /** Sends a copy of {@code bytes}; the receiver has them at {@code offset}. */
        void block(long offset, ByteBuffer bytes);
    }

    public BlockSending(FtpSession session, String what, Content content) {
        this.session = session;
        this.what = what;
        this.content = content;
    }

    /** Begins; {@link DataPaths#hasWayOut} was true. */
    public void begin() {
        progressNanos = System.nanoTime();
        session.transferBegins(this);
        BlockOutputs outputs = session.dataPaths().outgoing();
        if (outputs.isCached()) {
            session.preliminary(ReplyCode.ALREADY_OPEN, "Reusing the data connections for " + what + ".");
            session.loop().execute(this::connected);
        } else {
            session.preliminary(ReplyCode.STARTING, "Opening data connections for " + what + ".");
            outputs.connect(
                    session.dataPort().activeOpenings(session.settings().parallelism()),
                    session.limits().times().dataConnect(),
                    this::connected,
                    cause -> fail(FtpReply.of(
                            ReplyCode.NO_DATA_CONNECTION,
                            "The data connections could not be opened: " + cause.getMessage())));
        }
    }

    private void connected() {
        if (done) {
            return;
        }
        connected = true;
        groups = session.dataPaths().outgoing().groups();
        groups.forEach(group -> group.forEach(output -> output.use(this)));
        if (!session.dataPaths().outgoing().isCached()) {
            broken(new java.io.IOException("a data connection was closed"));
            return;
        }
        progressNanos = System.nanoTime();
        watchForStall();
        pump();
    }

    /** Sends what can be sent. */
    void pump() {
        if (pumping || !connected) {
            return;
        }
        pumping = true;
        boolean more = true;
        while (more && !done && !ending) {
            more = false;
            for (List<BlockOutput> group : groups) {
                for (BlockOutput output : group) {
                    more |= !done && output.isWritable() && content.sendOne(output::block);
                }
            }
        }
        pumping = false;
        if (!done && !ending && content.isComplete()) {
            sendEnds();
        }
    }

    private void sendEnds() {
        ending = true;
        unfinished = groups.stream().mapToInt(List::size).sum();
        for (List<BlockOutput> group : groups) {
            int connections = group.size();
            for (BlockOutput output : group) {
                output.end(output == group.get(0) ? connections : 0, this::ended);
            }
        }
    }

    private void ended(@Nullable Throwable cause) {
        if (cause != null) {
            broken(cause);
        } else if (--unfinished == 0 && !done) {
            groups.forEach(group -> group.forEach(output -> output.use(null)));
            end(FtpReply.of(ReplyCode.TRANSFER_COMPLETE, content.summary()));
        }
    }

    private void watchForStall() {
        long allowed = session.limits().times().dataStall().toNanos();
        stallWatch = session.later(allowed, () -> {
            if (isStalled(allowed)) {
                fail(FtpReply.of(
                        ReplyCode.TRANSFER_ABORTED, "Nothing was read from the data connections for too long."));
            } else {
                watchForStall();
            }
        });
    }

    /** Whether no connection takes anything, for that long. */
    boolean isStalled(long nanos) {
        boolean waitsForClient =
                !connected || groups.stream().flatMap(List::stream).noneMatch(BlockOutput::isWritable);
        return !done && waitsForClient && System.nanoTime() - progressNanos >= nanos;
    }

    @Override
    public void writable() {
        pump();
    }

    @Override
    public void progressed() {
        progressNanos = System.nanoTime();
    }

    @Override
    public void broken(Throwable cause) {
        fail(FtpReply.of(ReplyCode.TRANSFER_ABORTED, "A data connection was closed before the end."));
    }

    /** It cannot continue: the connections are in the middle of it and cannot be used again. */
    void fail(FtpReply reply) {
        if (!done) {
            session.dataPaths().outgoing().close();
            end(reply);
        }
    }

    private void end(FtpReply reply) {
        done = true;
        if (stallWatch != null) {
            stallWatch.cancel(false);
        }
        content.over();
        session.transferEnds(reply);
    }

    @Override
    public void abort(FtpReply reply) {
        fail(reply);
    }
}
