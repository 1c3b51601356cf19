package io.hawser.agenta.upload;

import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferSnapshot;
import io.hawser.store.spool.Upload;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An upload that ended before it was complete: what came is kept in the spool for its client to continue. What cannot be continued is
 * dropped instead, such as a patch: the next one begins from what the file is then.
 *
 * <p>Thread: the loop.
 */
public final class InterruptedUpload {
    /** A disk that takes longer is no reason to keep a client waiting that has failed anyway. */
    private static final long MAX_WAIT_MILLIS = 2000;

    private final Spool spool;
    private final ScheduledExecutorService loop;
    private final Upload upload;
    private final boolean continuable;
    private Runnable observed = () -> {};
    private @Nullable ScheduledFuture<?> deadline;
    private boolean over;

    /**
     * @param continuable whether a client's position means the same byte in what came here
     */
    public InterruptedUpload(UploadService uploads, Upload upload, boolean continuable) {
        this.spool = uploads.spool();
        this.loop = uploads.loop();
        this.upload = upload;
        this.continuable = continuable && upload.manifest().kind() != TransferKind.PATCH;
    }

    /** Ends the upload, and runs {@code kept} when that is durable, or has taken too long. */
    public void keep(String reason, Runnable kept) {
        if (continuable) {
            upload.abandon(reason);
        } else {
            upload.cancel(reason);
        }
        whenKept(kept);
    }

    /** The spool refused bytes. {@code told} gets the failure; bytes that differ from earlier ones leave the earlier ones kept. */
    public void refused(Refusal refusal, Consumer<RequestFailure> told) {
        if (refusal.code() != ErrorCode.DIGEST_MISMATCH) {
            told.accept(RequestFailure.of(refusal));
            return;
        }
        if (continuable) {
            upload.abandonDifferent("bytes differ from those that came before");
        } else {
            upload.cancel("bytes differ from those that came before");
        }
        whenKept(
                () -> told.accept(
                        RequestFailure.conflict(
                                "bytes came that differ from those that came before at the same place; upload the file from its beginning")));
    }

    /** A client that continues at once after the reply must find what it left, so that has to be durable before the reply. */
    private void whenKept(Runnable kept) {
        if (spool.state(upload.key()).filter(InterruptedUpload::isEnding).isEmpty()) {
            kept.run();
            return;
        }
        deadline = loop.schedule(() -> end(kept), MAX_WAIT_MILLIS, TimeUnit.MILLISECONDS);
        observed = spool.observe(upload.key(), state -> {
            if (!isEnding(state)) {
                end(kept);
            }
        });
    }

    private static boolean isEnding(TransferSnapshot state) {
        return state.phase() == SpoolPhase.RECEIVING;
    }

    private void end(Runnable kept) {
        if (!over) {
            over = true;
            observed.run();
            if (deadline != null) {
                deadline.cancel(false);
            }
            kept.run();
        }
    }
}
