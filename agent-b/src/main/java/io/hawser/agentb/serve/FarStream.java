package io.hawser.agentb.serve;

import io.hawser.agentb.deliver.ftp.FarRefusedException;
import io.hawser.agentb.deliver.ftp.FarSession;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.remote.RemoteFile;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One RETR that goes on: each reader takes the bytes at which it stands. It is dialled by the first. What breaks it breaks it for
 * all who wait.
 *
 * <p>Thread: any; {@link #tail}, {@link #claims} and {@link #usedNanos} are its owner's.
 */
final class FarStream {
    private static final Logger LOG = LoggerFactory.getLogger(FarStream.class);
    private static final long LOOK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How long a file is read without being looked at. */
    private static final long UNLOOKED_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Where the next reader would have to begin. */
    long tail;
    /** How many readers were sent here and are not done. */
    int claims;
    /** When it was last used. */
    long usedNanos = System.nanoTime();

    private final ReadingSessions sessions;
    private final Retriever retrieving;
    private final String name;
    private final String fingerprint;
    private final long start;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    private long position;
    private long lookedNanos;
    private @Nullable IOException failure;
    private @Nullable RemoteFile version;
    private volatile @Nullable FarSession session;
    private @Nullable Retrieval retrieval;
    private volatile boolean over;

    /**
     * A stream that begins at {@code offset}.
     *
     * @param fingerprint the version, or empty for any
     */
    FarStream(ReadingSessions sessions, Retriever retrieving, String name, String fingerprint, long offset) {
        this.sessions = sessions;
        this.retrieving = retrieving;
        this.name = name;
        this.fingerprint = fingerprint;
        this.start = offset;
        this.position = offset;
        this.tail = offset;
    }

    /** Whether it reads that. */
    boolean isOf(String file, String wanted) {
        return name.equals(file) && fingerprint.equals(wanted);
    }

    /** Whether nobody can be sent here any more: it broke, it was closed, or the file ended. */
    boolean isOver() {
        return over;
    }

    /** Fills {@code into} from {@code offset} on as far as the file goes. */
    RemoteFile read(long offset, ByteBuffer into) throws IOException {
        lock.lock();
        try {
            awaitTurn(offset);
            return take(into);
        } catch (SocketTimeoutException e) {
            // One that has sent something may only have stopped, and a new stream tells; else it is given up.
            IOException told = position > start ? NotServedException.unreachable("The far server fell silent") : e;
            fail(told);
            throw told;
        } catch (IOException e) {
            fail(e);
            throw e;
        } finally {
            moved.signalAll();
            lock.unlock();
        }
    }

    private void awaitTurn(long offset) throws IOException {
        try {
            while (position != offset && failure == null) {
                moved.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw NotServedException.unreachable("The far edge is stopping");
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
            sessions.look(again -> FarStat.file(again, name, file.fingerprint()));
        } else if (System.nanoTime() - lookedNanos > LOOK_AGAIN_NANOS) {
            lookAgain(file);
        }
        return file;
    }

    /** In the middle. A server that has no connection free for the question is asked again behind the next block, for a while. */
    private void lookAgain(RemoteFile file) throws IOException {
        long began = System.nanoTime();
        try {
            sessions.look(again -> FarStat.file(again, name, file.fingerprint()));
            lookedNanos = began;
        } catch (NotServedException e) {
            if (e.refusal().code() != ErrorCode.UNREACHABLE || began - lookedNanos > UNLOOKED_NANOS) {
                throw e;
            }
        }
    }

    private RemoteFile open() throws IOException {
        lookedNanos = System.nanoTime();
        FarSession taken = sessions.take();
        session = taken;
        RemoteFile file;
        try {
            file = look(taken);
        } catch (IOException e) {
            if (!taken.wasUsed() || e instanceof FarRefusedException || e instanceof NotServedException) {
                throw e;
            }
            sessions.drop(taken); // the server had hung up on it
            taken = sessions.take();
            session = taken;
            file = look(taken);
        }
        version = file;
        if (position < file.sizeBytes()) {
            retrieval = retrieving.begin(taken, FarName.path(taken, name), position, file.sizeBytes());
        }
        return file;
    }

    private RemoteFile look(FarSession taken) throws IOException {
        return FarStat.file(taken, name, fingerprint);
    }

    private void fill(ByteBuffer into, int wanted) throws IOException {
        Retrieval running = retrieval;
        if (running == null) {
            throw NotServedException.unreachable("The stream was closed");
        }
        for (int end = into.position() + wanted; into.position() < end; ) {
            running.take(into, end - into.position());
        }
    }

    /** The last byte is read: the session can be used again if the server agrees. */
    private void end() {
        over = true;
        FarSession used = session;
        Retrieval running = retrieval;
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
            sessions.drop(used); // how many bytes came is known; whether they are of one version is looked at anyway
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
                    .log("a read from the far server broke; what is still wanted is asked for again");
        }
        FarSession used = session;
        boolean whole =
                retrieval == null && (cause instanceof FarRefusedException || cause instanceof NotServedException);
        if (used != null && whole) {
            session = null;
            sessions.giveBack(used);
        }
        close();
    }

    /** Closes the sockets; whoever reads gets an exception. */
    void close() {
        over = true;
        FarSession used = session;
        if (used != null) {
            sessions.drop(used);
        }
    }
}
