package io.hawser.agenta.ftp.download;

import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.control.RunningCommand;
import io.hawser.agenta.ftp.data.DataOutput;
import io.hawser.agenta.ftp.session.DataConnections;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/**
 * Sends a file or a listing, from the transfer command to the final reply, as fast as the client takes it. 226 comes when all has been
 * handed to the system.
 *
 * <p>Thread: the loop.
 */
public abstract class FtpDataSender implements RunningCommand, DataOutput.Flow {
    final FtpSession session;
    private final Content content;
    private @Nullable ScheduledFuture<?> stallWatch;
    private long progressNanos = System.nanoTime();
    private boolean pumping;
    private boolean ending;
    private boolean done;

    /** Where the bytes come from. */
    public interface Content {
        /** Sends one piece if there is one now; if not, it calls {@link #pump} later. */
        boolean sendOne(Target target);

        /** Whether all pieces have been sent. */
        boolean isComplete();

        /** The text of the reply at its good end. */
        default String summary() {
            return "Transfer complete.";
        }

        default Optional<String> progress() {
            return Optional.empty();
        }

        /** The transfer is over, well or not: gives back what it holds. */
        default void over() {}
    }

    /** A connection that takes a piece. */
    public interface Target {
        /** Sends a copy of {@code bytes}; the receiver has them at {@code offset}. */
        void piece(long offset, ByteBuffer bytes);
    }

    FtpDataSender(FtpSession session, Content content) {
        this.session = session;
        this.content = content;
    }

    /** A transfer in the mode that is in force; {@link DataConnections#hasWayOut} was true. {@code ascii}: line ends are converted in stream mode. */
    public static FtpDataSender of(FtpSession session, String what, boolean ascii, Content content) {
        return session.settings().extendedBlocks()
                ? new ModeESender(session, what, content)
                : new StreamModeSender(session, what, ascii, content);
    }

    public abstract void begin();

    abstract boolean isConnected();

    /** Whether a connection takes a piece now. */
    abstract boolean isWritable();

    /** Sends a piece on each connection that takes one; false if there was none to send, or nowhere to send it. */
    abstract boolean sendSome();

    /** All pieces have been sent: ends the streams, and then calls {@link #succeed}. */
    abstract void sendEnd();

    /** Breaks the connections so that the client sees it: an orderly end would look like the end of what is sent. */
    abstract void closeData();

    /** The client's data connections are there. */
    final void connected() {
        progressNanos = System.nanoTime();
        watchForStall();
        pump();
    }

    final boolean isDone() {
        return done;
    }

    final boolean sendOne(Target target) {
        return !done && content.sendOne(target);
    }

    /** Sends what can be sent. */
    final void pump() {
        if (pumping || !isConnected()) {
            return;
        }
        pumping = true;
        boolean more = true;
        while (more && !done && !ending) {
            more = sendSome();
        }
        pumping = false;
        if (!done && !ending && content.isComplete()) {
            ending = true;
            progressNanos = System.nanoTime();
            sendEnd();
        }
    }

    /** Only the client is watched here: for the far end each read has a patience of its own. */
    private void watchForStall() {
        long allowed = session.limits().times().dataStall().toNanos();
        stallWatch = session.later(allowed, () -> {
            if (isStalled(allowed)) {
                fail(FtpReply.of(
                        ReplyCode.TRANSFER_ABORTED, "Nothing was read from the data connection for too long."));
            } else {
                watchForStall();
            }
        });
    }

    /** Whether the client has taken nothing for that long, although there was something to take. */
    final boolean isStalled(long nanos) {
        boolean waitsForClient = !isConnected() || ending || !isWritable();
        return !done && waitsForClient && System.nanoTime() - progressNanos >= nanos;
    }

    @Override
    public final Optional<String> progress() {
        return content.progress();
    }

    @Override
    public final void writable() {
        pump();
    }

    @Override
    public final void progressed() {
        progressNanos = System.nanoTime();
    }

    @Override
    public final void broken(Throwable cause) {
        fail(FtpReply.of(ReplyCode.TRANSFER_ABORTED, "A data connection was closed before the end."));
    }

    /** It cannot continue: the connections are in the middle of it and cannot be used again. */
    final void fail(FtpReply reply) {
        if (!done) {
            closeData();
            end(reply);
        }
    }

    /** All has been handed to the system. */
    final void succeed() {
        if (!done) {
            end(FtpReply.of(ReplyCode.TRANSFER_COMPLETE, content.summary()));
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
    public final void abort(FtpReply reply) {
        fail(reply);
    }
}
