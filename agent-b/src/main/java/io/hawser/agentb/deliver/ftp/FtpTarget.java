package io.hawser.agentb.deliver.ftp;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.common.hop.Refusal;
import io.hawser.common.landing.Delivery;
import io.hawser.common.landing.DeliveryTarget;
import io.hawser.common.landing.VerifiedObject;
import io.hawser.common.model.Manifest;
import io.hawser.common.storage.Storage;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers to a far FTP, FTPS or GridFTP server; how, is told in the package's description. As many objects at once as there are
 * connections; what waits is bounded by the landing area, which holds the bytes. What goes wrong with a file may pass: it is tried again with
 * back-off until the landing area's deadline. An operation on names that the server refuses has failed.
 *
 * <p>Thread: any.
 */
public final class FtpTarget implements DeliveryTarget, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FtpTarget.class);
    private static final Duration MAX_IDLE = Duration.ofSeconds(30);
    private static final int CLOSE_SECONDS = 5;

    private final Storage storage;
    private final FarServer server;
    private final FarOptions options;
    private final @Nullable FarTls tls;
    private final SilenceWatch watch;
    private final Upload upload;
    private final FarGate gate = new FarGate();
    private final ConcurrentLinkedDeque<FarSession> idle = new ConcurrentLinkedDeque<>();
    private final java.util.Set<FarSession> busy = java.util.concurrent.ConcurrentHashMap.newKeySet();
    private final ThreadPoolExecutor threads;
    private volatile boolean closed;

    private FtpTarget(Storage storage, FarServer server, FarOptions options, @Nullable FarTls tls) {
        this.storage = storage;
        this.server = server;
        this.options = options;
        this.tls = tls;
        this.watch = new SilenceWatch(options.silence());
        this.upload = server.protocol() == FarServer.Protocol.GRIDFTP
                ? new BlockUpload(watch, options)
                : new StreamUpload(watch);
        AtomicInteger number = new AtomicInteger();
        this.threads = new ThreadPoolExecutor(
                options.connections(),
                options.connections(),
                MAX_IDLE.toSeconds(),
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> {
                    Thread thread = new Thread(task, "hawser-far-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /** Creates a target; nothing is dialled yet. Throws IOException if the authorities cannot be loaded. */
    public static FtpTarget create(Storage storage, FarServer server, FarOptions options) throws IOException {
        FarTls tls =
                server.protocol() == FarServer.Protocol.FTPS ? FarTls.create(storage, server.host(), options) : null;
        return new FtpTarget(storage, server, options, tls);
    }

    @Override
    public @Nullable Refusal check(Manifest manifest) {
        return FarOperations.check(manifest);
    }

    @Override
    public boolean takesFile() {
        return false;
    }

    /** What keeps it from delivering now, or an empty string. */
    public String problem() {
        return gate.problem();
    }

    @Override
    public void deliver(List<VerifiedObject> objects, Consumer<Delivery> results) {
        for (VerifiedObject object : objects) {
            try {
                threads.execute(() -> results.accept(deliver(object)));
            } catch (RejectedExecutionException e) {
                LOG.atDebug().log("the node is stopping; what waits is delivered after the next start");
            }
        }
    }

    private Delivery deliver(VerifiedObject object) {
        try {
            withSession(session -> new ObjectDelivery(storage, upload, session, object).run());
            return new Delivery.Delivered(object);
        } catch (NameRefusedException e) {
            return new Delivery.Failed(object, reason(e));
        } catch (FarRefusedException e) {
            return FarOperations.isFinal(object.manifest().kind(), e)
                    ? new Delivery.Failed(object, reason(e))
                    : new Delivery.Later(object, reason(e));
        } catch (IOException e) {
            return new Delivery.Later(object, reason(e));
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).addKeyValue("transfer", object.key()).log("a delivery failed unforeseen");
            return new Delivery.Later(object, "unforeseen: " + e);
        }
    }

    @Override
    public void abandon(VerifiedObject object) {
        try {
            threads.execute(() -> removeTemporary(object));
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("the node is stopping; a temporary file stays at the far server");
        }
    }

    private void removeTemporary(VerifiedObject object) {
        try {
            withSession(session -> {
                String path = ObjectDelivery.temporaryPath(session, object);
                if (session.sizeOf(path) != FarSession.MISSING) {
                    session.delete(path);
                }
            });
        } catch (IOException e) {
            LOG.atInfo()
                    .addKeyValue("transfer", object.key())
                    .addKeyValue("reason", reason(e))
                    .log("the temporary file of a dropped transfer stays at the far server");
        }
    }

    private interface Work {
        void run(FarSession session) throws IOException;
    }

    private void withSession(Work work) throws IOException {
        FarSession session = idleSession();
        if (session == null) {
            session = newSession();
        }
        boolean reused = session.wasUsed();
        try {
            run(session, work);
        } catch (FarRefusedException | NameRefusedException e) {
            throw e;
        } catch (IOException e) {
            if (!reused || closed) {
                throw e;
            }
            run(newSession(), work); // the server had hung up on a session that waited
        }
    }

    private void run(FarSession session, Work work) throws IOException {
        busy.add(session);
        boolean whole = false;
        try {
            work.run(session);
            whole = true;
        } catch (NameRefusedException e) {
            whole = true;
            throw e;
        } catch (FarRefusedException e) {
            session.forgetDirectories();
            whole = e.code() != SERVICE_CLOSING;
            throw e;
        } finally {
            busy.remove(session);
            if (whole && !closed) {
                session.touched();
                idle.push(session);
            } else {
                session.close();
            }
        }
    }

    private static final int SERVICE_CLOSING = 421;

    private @Nullable FarSession idleSession() {
        for (FarSession session = idle.poll(); session != null; session = idle.poll()) {
            if (!session.isStale(MAX_IDLE)) {
                return session;
            }
            session.close();
        }
        return null;
    }

    private FarSession newSession() throws IOException {
        gate.pass();
        try {
            FarSession session = FarSession.open(server, options, tls);
            gate.opened();
            return session;
        } catch (IOException e) {
            IOException told = new IOException(server + ": " + reason(e), e);
            gate.failed(e instanceof FarLoginException ? e : told);
            throw e instanceof FarLoginException ? e : told;
        }
    }

    private static String reason(IOException e) {
        if (e instanceof UnknownHostException) {
            return "there is no host \"" + e.getMessage() + "\"";
        }
        if (e instanceof SocketTimeoutException) {
            return "no answer within the time limit (" + e.getMessage() + ")";
        }
        if (e instanceof ConnectException) {
            return "cannot connect: " + e.getMessage();
        }
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : message;
    }

    /** Ends what is under way, which is as if the process had died: nothing is told of it. */
    @Override
    public void close() {
        closed = true;
        threads.shutdownNow();
        busy.forEach(FarSession::close);
        try {
            boolean unused = threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        idle.forEach(FarSession::close);
        watch.close();
    }
}
