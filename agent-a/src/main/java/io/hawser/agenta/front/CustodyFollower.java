package io.hawser.agenta.front;

import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.agenta.custody.CustodyObserver;
import io.hawser.agenta.namespace.NamespaceService;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.agenta.namespace.RequestFailure.Reason;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.model.TransferKey;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The time from "durable here" to the last answer to an upload, for a front whose clients know success and failure only: until its custody
 * level is reached, until it is known that it will not be, or until the client has waited long enough. The last is a failure that says so:
 * success would be untrue for that level. The upload is accepted all the same.
 *
 * <p>Thread: the loop.
 */
public final class CustodyFollower {
    private final ChangeContext context;
    private final TransferKey key;
    private final CustodyLevel level;
    private final Consumer<Optional<RequestFailure>> told;
    private final CustodyObserver observer;
    private @Nullable Future<?> deadline;
    private boolean over;

    private CustodyFollower(
            ChangeContext context, TransferKey key, CustodyLevel level, Consumer<Optional<RequestFailure>> told) {
        this.context = context;
        this.key = key;
        this.level = level;
        this.told = told;
        this.observer = new CustodyObserver(context.names().spool(), key, level, context.completion(), this::decided);
    }

    /** Follows the upload {@code key} to {@code path}, which has just become durable here. */
    public static void follow(
            ChangeContext context, FtpPath path, TransferKey key, Consumer<Optional<RequestFailure>> told) {
        context.names().changed(path);
        CustodyLevel level = context.custody().apply(path);
        CustodyFollower follower = new CustodyFollower(context, key, level, told);
        if (level == CustodyLevel.SPOOLED) {
            follower.end(Optional.empty());
        } else {
            follower.begin();
        }
    }

    private void begin() {
        observer.begin();
        if (!over) {
            deadline = context.loop().schedule(this::late, context.waitTime().toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void decided(CustodyObserver.Verdict verdict) {
        if (verdict instanceof CustodyObserver.Verdict.Failed failed) {
            if (failed.lacksRight()) {
                // A client that hears of the failure may send the file again.
                var unused = context.names().spool().cancel(key, failed.reason());
            }
            refuse(" failed: " + failed.reason());
        } else if (verdict instanceof CustodyObserver.Verdict.Dead dead) {
            refuse(" is not delivered and waits for a person: " + dead.reason());
        } else {
            end(Optional.empty());
        }
    }

    private void refuse(String why) {
        context.names().reportedFailures().add(key);
        end(Optional.of(new RequestFailure(Reason.FAILED, "transfer " + key.id() + why)));
    }

    private void late() {
        String reached = observer.reached().map(CustodyLevel::toString).orElse("known");
        end(Optional.of(RequestFailure.busy(
                "it is accepted as transfer " + key.id() + " and " + reached + ", but not yet " + level)));
    }

    private void end(Optional<RequestFailure> outcome) {
        if (over) {
            return;
        }
        over = true;
        observer.stop();
        if (deadline != null) {
            deadline.cancel(false);
        }
        NamespaceService names = context.names();
        if (outcome.isEmpty()) {
            names.spool()
                    .state(key)
                    .ifPresent(state -> names.used(state.manifest().topic()));
        }
        told.accept(outcome);
    }
}
