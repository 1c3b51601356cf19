package io.hawser.agenta.front;

import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.agenta.namespace.ChangedPath;
import io.hawser.agenta.namespace.NamespaceChange;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.model.TransferKey;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends a change of a name, time or mode, and follows it until its client can be told what came of it. A change that takes too long is
 * reported as a failure that says so, for a client without a third answer; it is made all the same.
 *
 * <p>Thread: the loop.
 */
final class ChangeFollower implements NamespaceChange.Listener {
    /** How long a client waits for the end of a change of what only the far end has. */
    private static final Duration FAR_CHANGE_TIME = Duration.ofSeconds(20);

    private final ChangeContext context;
    private final ChangedPath subject;
    private final CustodyLevel level;
    private final Consumer<Optional<RequestFailure>> told;
    private @Nullable NamespaceChange change;
    private @Nullable TransferKey key;
    private @Nullable Future<?> deadline;
    private boolean over;

    private ChangeFollower(
            ChangeContext context, ChangedPath subject, CustodyLevel level, Consumer<Optional<RequestFailure>> told) {
        this.context = context;
        this.subject = subject;
        this.level = level;
        this.told = told;
    }

    /** Of several {@code paths} the one with the strictest level counts. */
    static void send(
            ChangeContext context,
            ChangedPath subject,
            NamespaceChange.Change change,
            List<FtpPath> paths,
            Consumer<Optional<RequestFailure>> told) {
        CustodyLevel level = subject.onItsWay()
                ? paths.stream()
                        .map(context.custody())
                        .max(CustodyLevel::compareTo)
                        .orElseThrow()
                : CustodyLevel.DELIVERED;
        ChangeFollower follower = new ChangeFollower(context, subject, level, told);
        follower.change = NamespaceChange.send(
                context.names(),
                context.requester(),
                subject,
                change,
                new NamespaceChange.Terms(level, context.completion()),
                follower);
    }

    @Override
    public void waits(TransferKey transfer) {
        key = transfer;
        Duration time = subject.onItsWay() ? context.waitTime() : FAR_CHANGE_TIME;
        deadline = context.loop().schedule(this::late, time.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void done() {
        end(Optional.empty());
    }

    @Override
    public void notFollowed() {
        late();
    }

    @Override
    public void refused(RequestFailure failure) {
        if (key != null) {
            context.names().reportedFailures().add(key);
        }
        end(Optional.of(failure));
    }

    private void late() {
        if (over) {
            return;
        }
        Objects.requireNonNull(change).leave();
        String id = Objects.requireNonNull(key).id().toString();
        end(Optional.of(RequestFailure.busy(
                subject.onItsWay()
                        ? "the change is queued and not yet " + level + ", transfer " + id
                        : "the far end has not answered; the change is queued and will be made, transfer " + id)));
    }

    private void end(Optional<RequestFailure> outcome) {
        if (!over) {
            over = true;
            if (deadline != null) {
                deadline.cancel(false);
            }
            told.accept(outcome);
        }
    }
}
