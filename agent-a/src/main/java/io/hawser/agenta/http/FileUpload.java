package io.hawser.agenta.http;

import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.agenta.upload.FragmentSink;
import io.hawser.agenta.upload.InterruptedUpload;
import io.hawser.agenta.upload.StallWatch;
import io.hawser.agenta.upload.UploadObstacleCheck;
import io.hawser.agenta.upload.UploadService;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.core.why.WaitStage;
import io.hawser.ops.http.ExchangeListener;
import io.hawser.ops.http.RequestHead;
import io.hawser.store.spool.Upload;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One upload by PUT, from the first byte of its body to its commit. It commits only when the whole body has come: as many bytes as were
 * announced, or the last chunk. Whatever else ends it leaves an upload that broke off, which publishes nothing.
 *
 * <pre>
 *   RECEIVING ──whole body──► COMMITTING ──durable──► DONE (2xx)
 *       └─────────────────────────┴── broken, refused, client gone ──► DONE (4xx, 5xx; incomplete)
 * </pre>
 *
 * <p>From COMMITTING on the upload is complete whatever happens to the client.
 *
 * <p>Thread: the loop.
 */
final class FileUpload implements ExchangeListener, FragmentSink.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(FileUpload.class);
    /** How long a complete upload waits for the answer about its name although its delivery would tell. */
    private static final long CHECK_GRACE_MILLIS = 20;

    private enum State {
        RECEIVING,
        COMMITTING,
        DONE
    }

    private final ClientRequest request;
    private final UploadService uploads;
    private final Upload upload;
    private final UploadObstacleCheck target;
    private final UploadConditions conditions;
    private final FragmentSink fragments;
    private final StallWatch stallWatch;
    private State state = State.RECEIVING;
    private boolean finishCalled;
    private @Nullable ByteBuf piece;

    FileUpload(ClientRequest request, Upload upload, UploadObstacleCheck target, UploadConditions conditions) {
        this.request = request;
        this.uploads = request.services().files().uploads();
        this.upload = upload;
        this.target = target;
        this.conditions = conditions;
        this.fragments = new FragmentSink(uploads.buffers(), upload, 0, null, 0, this);
        this.stallWatch = new StallWatch(
                request.services().loop(),
                request.services().config().limits().stall(),
                fragments::receivedBytes,
                fragments::isHeldBack,
                () -> breakOff("the client sent nothing", 408, "nothing came of the body for too long"));
    }

    void begin() {
        request.phase(this);
        request.records().uploads(upload.key());
        uploads.active().began(upload.key(), this::stage);
        stallWatch.begin();
        target.whenKnown(this::onObstacle);
        if (state != State.RECEIVING) {
            return;
        }
        if (request.head().bodyBytes() == 0) {
            onBodyEnd();
        } else {
            request.exchange().readOn();
        }
    }

    private WaitStage stage() {
        if (state == State.COMMITTING) {
            return WaitStage.FORCE;
        } else if (fragments.waitsForSpace()) {
            return WaitStage.SPACE;
        }
        return fragments.isHeldBack() ? WaitStage.FORCE : WaitStage.CLIENT;
    }

    @Override
    public void onBody(ByteBuf next) {
        if (state != State.RECEIVING) {
            next.release();
            return;
        }
        piece = next;
        take();
    }

    /** Copies the piece as far as there is space, and reads the next one when all of it went. */
    private void take() {
        ByteBuf from = piece;
        while (from != null && from.isReadable()) {
            if (!fragments.hasSpace()) {
                fragments.whenSpace(this::take);
                return;
            }
            fragments.copy(from, Math.min(from.readableBytes(), fragments.room()));
            if (piece == null) {
                return; // the spool has refused it meanwhile
            }
        }
        dropPiece();
        if (state == State.RECEIVING) {
            request.exchange().readOn();
        }
    }

    private void dropPiece() {
        ByteBuf held = piece;
        piece = null;
        if (held != null) {
            held.release();
        }
    }

    @Override
    public void onBodyEnd() {
        if (state != State.RECEIVING) {
            return;
        }
        long announced = request.head().bodyBytes();
        if (announced != RequestHead.CHUNKED && announced != fragments.receivedBytes()) {
            onBodyBroken("it is not as long as Content-Length said");
        } else {
            fragments.ended();
        }
    }

    @Override
    public void uploadEnded() {
        to(State.COMMITTING, "the whole body has come");
        finishIfChecked();
        if (!finishCalled && request.custody() == CustodyLevel.DELIVERED) {
            var unused = request.later(TimeUnit.MILLISECONDS.toNanos(CHECK_GRACE_MILLIS), this::finish);
        }
    }

    private void onObstacle(String obstacle) {
        if (state == State.DONE || finishCalled) {
            return;
        }
        if (obstacle.isEmpty()) {
            finishIfChecked();
        } else {
            cancel(409, obstacle);
        }
    }

    /** Ends an upload that cannot have its name: what came of it is of no use. */
    private void cancel(int status, String why) {
        stop(why);
        upload.cancel(why);
        moved(fragments.receivedBytes(), status + " " + why);
        request.refuse(status, why);
    }

    private void finishIfChecked() {
        if (state == State.COMMITTING && target.isClear()) {
            finish();
        }
    }

    private void finish() {
        if (state != State.COMMITTING || finishCalled) {
            return;
        }
        if (!conditions.stillHold()) {
            cancel(412, "something was done to this name meanwhile");
            return;
        }
        if (conditions.isDirectory()) {
            cancel(409, RequestFailure.IS_DIRECTORY);
            return;
        }
        finishCalled = true;
        upload.finish(fragments.endPositionBytes(), this::committed);
    }

    private void committed(Outcome<Commit> outcome) {
        Refusal refusal = outcome.refusal();
        to(State.DONE, refusal == null ? "durable" : "refused");
        conditions.release();
        if (refusal == null) {
            new UploadResponse(request, upload.key(), outcome.get().sizeBytes(), conditions).begin();
        } else {
            refused(refusal);
        }
    }

    private void refused(Refusal refusal) {
        new InterruptedUpload(uploads, upload, true).refused(refusal, this::refuse);
    }

    private void refuse(RequestFailure failure) {
        moved(fragments.receivedBytes(), FailureStatus.of(failure.reason()) + " " + failure.words());
        request.refuse(failure);
    }

    @Override
    public void uploadRefused(Refusal refusal) {
        if (state == State.RECEIVING) { // later, what finish() says decides
            stop("spool refused");
            refused(refusal);
        }
    }

    @Override
    public void uploadBroken(Throwable cause) {
        breakOff("the body broke", 400, "the body broke: " + cause.getMessage());
    }

    @Override
    public void onBodyBroken(String why) {
        breakOff(why, 400, "nothing is published: " + why);
    }

    @Override
    public void onGone() {
        breakOff("the client is gone", 400, "the connection ended before the body");
    }

    @Override
    public void onStop() {
        breakOff("the server stops", 503, "this server is stopping; upload it again later");
    }

    /** Ends an upload that is not complete. What came is kept in the spool, and what comes again is compared with it. */
    private void breakOff(String reason, int status, String sentence) {
        if (state == State.RECEIVING) {
            stop(reason);
            moved(fragments.receivedBytes(), status + " " + sentence);
            new InterruptedUpload(uploads, upload, true).keep(reason, () -> request.refuse(status, sentence));
        }
    }

    private void stop(String reason) {
        to(State.DONE, reason);
        conditions.release();
        dropPiece();
        fragments.handOverTail();
    }

    private void moved(long bytes, String refusal) {
        request.records().moved(upload.key().toString(), bytes, refusal);
    }

    private void to(State next, String reason) {
        LOG.atDebug()
                .addKeyValue("transfer", upload.key())
                .addKeyValue("from", state)
                .addKeyValue("to", next)
                .addKeyValue("reason", reason)
                .log("upload");
        state = next;
        stallWatch.stop();
        if (next == State.DONE) {
            uploads.active().ended(upload.key());
        }
    }
}
