package io.hawser.agentb.serve;

import io.hawser.agentb.deliver.ftp.FarRefusedException;
import io.hawser.agentb.deliver.ftp.FarSession;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.remote.RemoteFile;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One long RETR that several readers share: each takes the next bytes in turn. The first read dials. A failure reaches all readers that wait.
 *
 * <p>Thread: any; the lock of {@link FarStreams} guards {@link #nextOffset}, {@link #readers} and {@link #usedNanos}.
 */
final class FarStream {
    private static final Logger LOG = LoggerFactory.getLogger(FarStream.class);
    private static final long RECHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The longest that a file is read without a check of its version. */
    private static final long MAX_UNCHECKED_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Where the next reader has to begin. */
    long nextOffset;
    /** Readers that were sent here and have not finished. */
    int readers;

    long usedNanos = System.nanoTime();

    private final ReadingSessions sessions;
    private final Retriever retriever;
    private final String name;
    private final String fingerprint;
    private final long start;
    private long position;
    private long checkedNanos;
    private @Nullable IOException failure;
    private @Nullable RemoteFile version;
    private volatile @Nullable FarSession session;
    private @Nullable FarRetrieval retrieval;
    private volatile boolean over;

    /**
     * A stream that begins at {@code offset}.
     *
     * @param fingerprint the version, or empty for any
     */
    FarStream(ReadingSessions sessions, Retriever retriever, String name, String fingerprint, long offset) {
        this.sessions = sessions;
        this.retriever = retriever;
        this.name = name;
        this.fingerprint = fingerprint;
        this.start = offset;
        this.position = offset;
        this.nextOffset = offset;
    }

    /** Whether it reads that version of that file. */
    boolean isOf(String file, String wanted) {
        return name.equals(file) && fingerprint.equals(wanted);
    }

    /** Whether it takes no more readers: it failed, it was closed, or the file ended. */
    boolean isOver() {
        return over;
    }

    /** Fills {@code into} from {@code offset} on, up to the end of the file. */
    synchronized RemoteFile read(long offset, ByteBuffer into) throws IOException {
        try {
            awaitTurn(offset);
            return take(into);
        } catch (SocketTimeoutException e) {
            // A server that has sent something may have stalled only this stream: the reader retries with another.
            IOException reported =
                    position > start ? NotServedException.unreachable("The far server stopped sending") : e;
            fail(reported);
            throw reported;
        } catch (IOException e) {
            fail(e);
            throw e;
        } finally {
            notifyAll();
        }
    }

    private void awaitTurn(long offset) throws IOException {
        try {
            while (position != offset && failure == null) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw NotServedException.unreachable("agent-b is stopping");
        }
        if (failure != null) {
            throw failure;
        }
    }

    private RemoteFile take(ByteBuffer into) throws IOException {
        RemoteFile file = version == null ? open() : version;
        int wanted = (int) Math.min(into.remaining(), Math.max(0, file.sizeBytes() - position));
        if (wanted > 0) {
            fill(into, wanted);
            position += wanted;
        }
        if (position >= file.sizeBytes()) {
            end();
            sessions.query(other -> FarStat.file(other, name, file.fingerprint()));
        } else if (System.nanoTime() - checkedNanos > RECHECK_NANOS) {
            recheckVersion(file);
        }
        return file;
    }

    /** Checks the version in the middle of the file. If no connection is free for the query, tries again after the next block, for a while. */
    private void recheckVersion(RemoteFile file) throws IOException {
        long began = System.nanoTime();
        try {
            sessions.query(other -> FarStat.file(other, name, file.fingerprint()));
            checkedNanos = began;
        } catch (NotServedException e) {
            if (e.refusal().code() != ErrorCode.UNREACHABLE || began - checkedNanos > MAX_UNCHECKED_NANOS) {
                throw e;
            }
        }
    }

    private RemoteFile open() throws IOException {
        checkedNanos = System.nanoTime();
        FarSession taken = sessions.take();
        session = taken;
        RemoteFile file;
        try {
            file = stat(taken);
        } catch (IOException e) {
            if (!taken.wasUsed() || e instanceof FarRefusedException || e instanceof NotServedException) {
                throw e;
            }
            sessions.drop(taken); // the server had closed it
            taken = sessions.take();
            session = taken;
            file = stat(taken);
        }
        version = file;
        if (position < file.sizeBytes()) {
            retrieval = retriever.begin(taken, FarName.path(taken, name), position, file.sizeBytes());
        }
        return file;
    }

    private RemoteFile stat(FarSession taken) throws IOException {
        return FarStat.file(taken, name, fingerprint);
    }

    private void fill(ByteBuffer into, int wanted) throws IOException {
        FarRetrieval running = retrieval;
        if (running == null) {
            throw NotServedException.unreachable("The stream was closed");
        }
        for (int end = into.position() + wanted; into.position() < end; ) {
            running.take(into, end - into.position());
        }
    }

    /** After the last byte: the session can be used again if the server confirms the end. */
    private void end() {
        over = true;
        FarSession used = session;
        FarRetrieval running = retrieval;
        session = null;
        retrieval = null;
        if (used == null) {
            return;
        }
        try {
            if (running != null) {
                running.end();
            }
            sessions.giveBack(used);
        } catch (IOException e) {
            sessions.drop(used); // the bytes are complete, and their version is checked anyway
        }
    }

    private void fail(IOException cause) {
        if (failure == null) {
            failure = cause;
        }
        if (retrieval != null && !over) {
            LOG.atInfo()
                    .addKeyValue("name", name)
                    .addKeyValue("position", position)
                    .addKeyValue("reason", cause.getMessage())
                    .log("a download from the far server failed; reading the rest again");
        }
        FarSession used = session;
        boolean intact =
                retrieval == null && (cause instanceof FarRefusedException || cause instanceof NotServedException);
        if (used != null && intact) {
            session = null;
            sessions.giveBack(used);
        }
        close();
    }

    /** Closes the sockets; readers get an exception. */
    void close() {
        over = true;
        FarSession used = session;
        if (used != null) {
            sessions.drop(used);
        }
    }
}
