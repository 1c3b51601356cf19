package io.hawser.agentb.deliver.ftp;

import io.hawser.agentb.deliver.FarOptions;
import io.hawser.agentb.deliver.FarServer;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.thread.DaemonThreads;
import io.hawser.store.landing.ArrivingObject;
import io.hawser.store.landing.DeliveryOutcome;
import io.hawser.store.landing.DeliveryTarget;
import io.hawser.store.landing.VerifiedObject;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers to a far FTP, FTPS or GridFTP server, as the package's description explains, one object on each connection. The landing area bounds
 * what waits. After a failed upload the landing area retries with back-off until its deadline; an operation on names that the server refuses has
 * failed.
 *
 * <p>Thread: any.
 */
public final class FtpTarget implements DeliveryTarget, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FtpTarget.class);
    private static final String MAY_BE_THERE =
            "agent-b had asked the server for the rename to the final name, so the file may be there already";

    private final Storage storage;
    private final StallWatchdog watch;
    private final FarUpload upload;
    private final DeliveryLoginSelector logins;
    private final ThreadPoolExecutor threads;
    private final ThreadPoolExecutor earlyThreads;
    private final EarlyUploads early;
    private final FarProbe probe;

    private FtpTarget(Storage storage, FarServer server, FarOptions options, DeliveryLoginSelector logins) {
        this.storage = storage;
        this.watch = new StallWatchdog(options.timeouts().silence());
        this.upload = server.protocol().isGrid() ? new BlockUpload(watch, options) : new FarStreamUpload(watch);
        this.logins = logins;
        this.threads = DaemonThreads.pool("hawser-far-", options.parallelism().connections());
        this.earlyThreads = DaemonThreads.pool(
                "hawser-far-early-", Math.max(1, options.parallelism().earlyUploads()));
        // Early uploads use agent-b's own login, so there are none when it delivers as users.
        int earlyUploads = logins.areUsers() ? 0 : options.parallelism().earlyUploads();
        this.early = new EarlyUploads(storage, upload, logins.own(), earlyThreads, threads, earlyUploads);
        this.probe = new FarProbe(logins.own(), threads);
    }

    /** Begins to probe the server while nothing is delivered. */
    public void watchServer() {
        if (!logins.areUsers()) {
            probe.start();
        }
    }

    /** Creates a target; dials nothing yet. Throws IOException if the CAs cannot be loaded. */
    public static FtpTarget create(Storage storage, FarServer server, FarOptions options) throws IOException {
        LoginSecurityFactory security = LoginSecurityFactory.of(storage, server, options);
        DeliveryLoginSelector logins =
                security instanceof FarGsi gsi && options.grid().get().asUser()
                        ? new UserLogins(server, options, gsi)
                        : new DeliverySessions(server, options, security);
        return new FtpTarget(storage, server, options, logins);
    }

    @Override
    public @Nullable Refusal check(Manifest manifest) {
        Refusal refusal = FarOperations.check(manifest);
        if (refusal == null && logins.areUsers()) {
            execute(() -> logins.announced(manifest));
        }
        return refusal;
    }

    @Override
    public boolean takesFile() {
        return false;
    }

    /** Why it cannot deliver now, or an empty string. */
    public String problem() {
        return logins.problem();
    }

    /** The state of users' credentials, for {@code /health}. */
    public Optional<String> credentials() {
        return logins.credentials();
    }

    @Override
    public boolean wantsEarly(Manifest manifest, long verifiedBytes) {
        return early.wants(manifest, verifiedBytes);
    }

    @Override
    public void arriving(ArrivingObject object) {
        early.arriving(object);
    }

    @Override
    public void gone(TransferKey key, Path note) {
        early.gone(key, note);
    }

    @Override
    public void deliver(List<VerifiedObject> objects, Consumer<DeliveryOutcome> results) {
        for (VerifiedObject object : objects) {
            early.stopThen(object.key(), () -> execute(() -> results.accept(deliver(object))));
        }
    }

    private void execute(Runnable task) {
        EarlyUploads.execute(threads, task);
    }

    private DeliveryOutcome deliver(VerifiedObject object) {
        // After a session breaks, another runs the work again: what the first one may have done stays noted.
        AtomicBoolean mayBeDone = new AtomicBoolean(object.mayBeDone());
        try {
            logins.sessionsFor(object.manifest()).with(DeliverySessions.Weight.DELIVERY, session -> new ObjectDelivery(
                            storage, upload, watch, session, object, mayBeDone)
                    .run());
            return new DeliveryOutcome.Delivered(object);
        } catch (PermanentFailureException e) {
            return failed(object, e);
        } catch (FarRefusedException e) {
            return FarOperations.isFinal(object.manifest().kind(), e)
                    ? failed(object, e)
                    : later(object, e, mayBeDone.get());
        } catch (IOException e) {
            return later(object, e, mayBeDone.get());
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).addKeyValue("transfer", object.key()).log("a delivery failed unexpectedly");
            return new DeliveryOutcome.Later(object, "unexpected: " + e, true);
        }
    }

    /** After agent-b asked for the rename it cannot know whether the server made it; an operator who drops a dead letter should. */
    private DeliveryOutcome later(VerifiedObject object, IOException cause, boolean mayBeDone) {
        String reason = FarFailureText.of(cause);
        try {
            boolean renameAsked = object.manifest().kind().hasBytes()
                    && DeliveryCheckpoint.read(storage, object.note()).isRenaming();
            return new DeliveryOutcome.Later(object, renameAsked ? reason + "; " + MAY_BE_THERE : reason, mayBeDone);
        } catch (StorageException e) {
            return new DeliveryOutcome.Later(
                    object, reason + "; its note cannot be read: " + e.getMessage(), mayBeDone);
        }
    }

    /** A whole file becomes a dead letter, for an operator to decide. A patch fails for good, since its base has changed. */
    private DeliveryOutcome failed(VerifiedObject object, IOException cause) {
        TransferKind kind = object.manifest().kind();
        if (kind.hasBytes() && kind != TransferKind.PATCH) {
            return new DeliveryOutcome.Refused(object, FarFailureText.of(cause));
        }
        if (kind == TransferKind.PATCH) {
            removeCopies(object);
            early.gone(object.key(), object.note());
        }
        return new DeliveryOutcome.Failed(object, FarFailureText.of(cause));
    }

    private void removeCopies(VerifiedObject object) {
        try {
            if (object.manifest().kind() == TransferKind.PATCH) {
                FarPatch.removeCopies(storage, object);
            }
        } catch (StorageException e) {
            LOG.atInfo()
                    .addKeyValue("transfer", object.key())
                    .setCause(e)
                    .log("the next start removes the copy of a patch");
        }
    }

    @Override
    public void abandon(VerifiedObject object) {
        execute(() -> removeTemporary(object));
    }

    private void removeTemporary(VerifiedObject object) {
        try {
            logins.sessionsFor(object.manifest())
                    .with(
                            DeliverySessions.Weight.DELIVERY,
                            session -> session.deleteIfThere(ObjectDelivery.temporaryPath(session, object)));
        } catch (IOException e) {
            LOG.atInfo()
                    .addKeyValue("transfer", object.key())
                    .addKeyValue("reason", FarFailureText.of(e))
                    .log("the temporary file of a dropped transfer stays at the far server");
        }
        removeCopies(object);
        early.gone(object.key(), object.note());
    }

    /** Cuts off running deliveries without reporting them, as if the process had died. */
    @Override
    public void close() {
        probe.close();
        logins.abandon();
        threads.shutdownNow();
        earlyThreads.shutdownNow();
        logins.abandon(); // also sessions that were opened meanwhile
        boolean unused = DaemonThreads.awaitEnd(threads) && DaemonThreads.awaitEnd(earlyThreads);
        logins.close();
        watch.close();
    }
}
