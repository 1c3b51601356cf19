package io.hawser.agenta.http;

import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.agenta.namespace.ChangedPath;
import io.hawser.agenta.namespace.ChangedPathFinder;
import io.hawser.agenta.namespace.NamespaceChange;
import io.hawser.agenta.namespace.NamespaceChange.Change;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.core.model.TransferKey;
import io.hawser.ops.http.ExchangeListener;
import io.hawser.ops.http.ResponseHead;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/**
 * Makes a change of a name for a request, and responds when it has come as far as it must: for what is on its way from here to the custody
 * level, for what only the far end has to its answer. 202 if that takes too long, or the server stops; the change is made all the same.
 *
 * <p>Thread: the loop.
 */
final class NameChange implements NamespaceChange.Listener, ExchangeListener {
    /** How long a client waits for the end of a change of what only the far end has. */
    private static final Duration FAR_CHANGE_TIME = Duration.ofSeconds(20);

    private final ClientRequest request;
    private final ChangedPath subject;
    private final int status;
    private final Runnable done;
    private @Nullable NamespaceChange change;
    private @Nullable TransferKey key;
    private @Nullable ScheduledFuture<?> timeout;

    private NameChange(ClientRequest request, ChangedPath subject, int status, Runnable done) {
        this.request = request;
        this.subject = subject;
        this.status = status;
        this.done = done;
    }

    /**
     * Sends a change of {@code subject}.
     *
     * @param status of the response when it is made
     * @param done is run just before that
     */
    static void send(ClientRequest request, ChangedPath subject, Change change, int status, Runnable done) {
        CustodyLevel level = subject.onItsWay() ? request.custody() : CustodyLevel.DELIVERED;
        NameChange sent = new NameChange(request, subject, status, done);
        request.phase(sent);
        sent.change = NamespaceChange.send(
                request.names(),
                request.requester(),
                subject,
                change,
                new NamespaceChange.Terms(
                        level, request.services().config().custody().completion()),
                sent);
    }

    /** Refuses for what is there, or is not; an account that may not know that is told the same in all cases. */
    static void refuse(ClientRequest request, String words) {
        request.refuse(ChangedPathFinder.visibleTo(request.account(), RequestFailure.conflict(words)));
    }

    @Override
    public void waits(TransferKey transfer) {
        key = transfer;
        Duration time =
                subject.onItsWay() ? request.services().config().limits().custody() : FAR_CHANGE_TIME;
        timeout = request.later(time.toNanos(), this::onStop);
    }

    @Override
    public void done() {
        endWait();
        done.run();
        request.respond(head(status), "");
    }

    @Override
    public void notFollowed() {
        late();
    }

    @Override
    public void refused(RequestFailure failure) {
        endWait();
        TransferKey sent = key;
        if (sent != null) {
            request.names().reportedFailures().add(sent);
        }
        request.refuse(failure);
    }

    private void late() {
        endWait();
        if (subject.onItsWay()) {
            request.names().used(subject.place().topic());
        }
        request.respond(head(202), "The change is queued and will be made; its end is not known yet.");
    }

    private ResponseHead head(int code) {
        TransferKey sent = key;
        ResponseHead head = ClientRequest.text(code);
        return sent == null ? head : head.with("Hawser-Transfer", sent.toString());
    }

    private void endWait() {
        if (timeout != null) {
            timeout.cancel(false);
        }
    }

    /** The change is made without its client. */
    @Override
    public void onGone() {
        endWait();
        if (change != null) {
            change.leave();
        }
    }

    @Override
    public void onStop() {
        if (key != null && change != null) {
            change.leave();
            late();
        }
    }
}
