package io.hawser.agenta.http;

import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.agenta.custody.CustodyObserver;
import io.hawser.agenta.namespace.NamespaceService;
import io.hawser.core.model.TransferKey;
import io.hawser.ops.http.ExchangeListener;
import io.hawser.ops.http.ResponseHead;
import java.util.Locale;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time from "durable here" to the response of an upload: until its custody level is reached, until it is known that it will not be, or
 * until the client has waited long enough.
 *
 * <p>201 and 204 name the level that was asked for. 202 names what is reached when the time is over, the server stops, or the client asked not
 * to wait ({@code Prefer: respond-async}): the upload is accepted. 403 and 502 say why the level cannot be reached.
 *
 * <p>Thread: the loop.
 */
final class UploadResponse implements ExchangeListener {
    /** How long the status waits for the answer whether a file was there before. */
    private static final long STATUS_WAIT_MILLIS = 1_000;

    private final ClientRequest request;
    private final NamespaceService names;
    private final TransferKey key;
    private final long bytes;
    private final UploadConditions conditions;
    private final CustodyLevel level;
    private final CustodyObserver observer;
    private @Nullable ScheduledFuture<?> timeout;
    private boolean over;

    /**
     * @param bytes its size
     * @param conditions know whether a file was there before
     */
    UploadResponse(ClientRequest request, TransferKey key, long bytes, UploadConditions conditions) {
        this.request = request;
        this.names = request.names();
        this.key = key;
        this.bytes = bytes;
        this.conditions = conditions;
        this.level = request.custody();
        this.observer = new CustodyObserver(
                names.spool(), key, level, request.services().config().custody().completion(), this::decided);
    }

    void begin() {
        request.phase(this);
        names.changed(request.path());
        if (!request.isOpen()) {
            onGone();
        } else if (isAsync()) {
            accepted(true);
        } else if (level == CustodyLevel.SPOOLED) {
            reached();
        } else {
            timeout =
                    request.later(request.services().config().limits().custody().toNanos(), this::onStop);
            observer.begin();
        }
    }

    private boolean isAsync() {
        return request.head()
                .header("Prefer")
                .filter(preferences -> preferences.toLowerCase(Locale.ROOT).contains("respond-async"))
                .isPresent();
    }

    private void decided(CustodyObserver.Verdict verdict) {
        if (verdict instanceof CustodyObserver.Verdict.Failed failed) {
            if (failed.lacksRight()) {
                // A client that hears of the failure may send the file again.
                var unused = names.spool().cancel(key, failed.reason());
            }
            refuse(failed.lacksRight() ? 403 : 502, " failed: " + failed.reason());
        } else if (verdict instanceof CustodyObserver.Verdict.Dead dead) {
            refuse(502, " is not delivered and waits for a person: " + dead.reason());
        } else {
            reached();
        }
    }

    private void refuse(int status, String why) {
        if (end()) {
            names.reportedFailures().add(key);
            String sentence = "transfer " + key.id() + why;
            request.records().moved(key.toString(), bytes, status + " " + sentence);
            request.respond(head(status), sentence);
        }
    }

    /** The level is reached. The status says whether a file was there before, if that is known in time. */
    private void reached() {
        if (!end()) {
            return;
        }
        ScheduledFuture<?> late = request.later(TimeUnit.MILLISECONDS.toNanos(STATUS_WAIT_MILLIS), this::created);
        conditions.whenKnown(() -> {
            late.cancel(false);
            created();
        });
    }

    private void created() {
        boolean existed = conditions.existed();
        succeed(head(existed ? 204 : 201), existed ? "" : "Transfer " + key.id() + " " + level + ".");
    }

    /** It is accepted, and has not reached its level. */
    private void accepted(boolean isAsked) {
        if (end()) {
            String reached = observer.reached().map(CustodyLevel::toString).orElse("accepted");
            String wanted = isAsked ? "" : ", not yet " + level;
            ResponseHead head = isAsked ? head(202).with("Preference-Applied", "respond-async") : head(202);
            succeed(head, "Transfer " + key.id() + " " + reached + wanted + ".");
        }
    }

    private ResponseHead head(int status) {
        return ClientRequest.text(status).with("Hawser-Transfer", key.toString());
    }

    private void succeed(ResponseHead head, String sentence) {
        if (request.isOpen()) {
            names.spool()
                    .state(key)
                    .ifPresent(state -> names.used(state.manifest().topic()));
            request.records().moved(key.toString(), bytes, "");
            request.respond(head, sentence);
        }
    }

    private boolean end() {
        boolean isFirst = !over;
        over = true;
        observer.stop();
        if (timeout != null) {
            timeout.cancel(false);
        }
        return isFirst;
    }

    /** The upload continues without its client. */
    @Override
    public void onGone() {
        end();
        names.spool().state(key).ifPresent(state -> names.used(state.manifest().topic()));
        request.records().moved(key.toString(), bytes, "the client was gone before the response");
    }

    @Override
    public void onStop() {
        accepted(false);
    }
}
