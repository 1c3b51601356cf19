package io.hawser.agentb.serve;

import io.hawser.agentb.deliver.ftp.FarRefusedException;
import io.hawser.agentb.deliver.ftp.FarSession;
import io.hawser.common.hop.ErrorCode;
import io.hawser.common.remote.RemoteFile;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.commons.net.ftp.FTPReply;
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
    private static final int STEP_BYTES = 64 << 10;
    private static final long LOOK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How long a file is read without being looked at. */
    private static final long UNLOOKED_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** How long the end of the file and the reply are waited for, once the last byte is here. */
    private static final int LAST_WORDS_MILLIS = 2_000;

    /** Where the next reader would have to begin. */
    long tail;
    /** How many readers were sent here and are not done. */
    int claims;
    /** When it was last used. */
    long usedNanos = System.nanoTime();

    private final FarSessions sessions;
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
    private @Nullable Socket data;
    private volatile boolean over;

    /**
     * A stream that begins at {@code offset}.
     *
     * @param fingerprint the version, or empty for any
     */
    FarStream(FarSessions sessions, String name, String fingerprint, long offset) {
        this.sessions = sessions;
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
            sessions.look(again -> FarLook.file(again, name, file.fingerprint()));
        } else if (System.nanoTime() - lookedNanos > LOOK_AGAIN_NANOS) {
            lookAgain(file);
        }
        return file;
    }

    /** In the middle. A server that has no connection free for the question is asked again behind the next block, for a while. */
    private void lookAgain(RemoteFile file) throws IOException {
        long began = System.nanoTime();
        try {
            sessions.look(again -> FarLook.file(again, name, file.fingerprint()));
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
            data = retrieve(taken);
        }
        return file;
    }

    private RemoteFile look(FarSession taken) throws IOException {
        return FarLook.file(taken, name, fingerprint);
    }

    private Socket retrieve(FarSession taken) throws IOException {
        String path = FarName.path(taken, name);
        try {
            return taken.client().beginTransfer("RETR", path, position);
        } catch (FarRefusedException e) {
            int code = e.code();
            if (position == 0
                    || code < FTPReply.UNRECOGNIZED_COMMAND
                    || code > FTPReply.COMMAND_NOT_IMPLEMENTED_FOR_PARAMETER) {
                throw FarRefusals.notServed(e, ErrorCode.NOT_ALLOWED); // it is there, it was looked at
            }
        }
        Socket fromTheBeginning = taken.client().beginTransfer("RETR", path, 0); // it knows no REST
        fromTheBeginning.getInputStream().skipNBytes(position);
        return fromTheBeginning;
    }

    private void fill(ByteBuffer into, int wanted) throws IOException {
        Socket socket = data;
        if (socket == null) {
            throw NotServedException.unreachable("The stream was closed");
        }
        InputStream in = socket.getInputStream();
        byte[] step = new byte[Math.min(STEP_BYTES, wanted)];
        for (int done = 0; done < wanted; ) {
            int count = in.read(step, 0, Math.min(step.length, wanted - done));
            if (count < 0) {
                // Closing is also how a killed server ends: what is missing is asked for again, and looked at before.
                throw NotServedException.unreachable("The far server ended the file early");
            }
            into.put(step, 0, count);
            done += count;
        }
    }

    /** The last byte is read: the session can be used again if the server agrees. */
    private void end() {
        over = true;
        FarSession used = session;
        Socket socket = data;
        session = null;
        data = null;
        if (used == null) {
            return;
        }
        try {
            if (socket != null) {
                int usual = used.client().getSoTimeout();
                used.client().setSoTimeout(LAST_WORDS_MILLIS);
                socket.setSoTimeout(LAST_WORDS_MILLIS);
                if (socket.getInputStream().read() >= 0) {
                    throw new IOException("the file goes on");
                }
                socket.close();
                used.client().endTransfer("RETR");
                used.client().setSoTimeout(usual);
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
        if (data != null && !over) {
            LOG.atInfo()
                    .addKeyValue("name", name)
                    .addKeyValue("position", position)
                    .addKeyValue("reason", cause.getMessage())
                    .log("a read from the far server broke; what is still wanted is asked for again");
        }
        FarSession used = session;
        boolean whole = data == null && (cause instanceof FarRefusedException || cause instanceof NotServedException);
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
