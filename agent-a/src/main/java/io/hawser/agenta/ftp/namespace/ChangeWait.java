package io.hawser.agenta.ftp.namespace;

import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.agenta.ftp.control.FailureReplies;
import io.hawser.agenta.ftp.session.AnswerWait;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.agenta.namespace.ChangedPath;
import io.hawser.agenta.namespace.NamespaceChange;
import io.hawser.agenta.namespace.NamespaceChange.Change;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs a name, time or mode change for an FTP command and sends its reply, or a provisional reply after a timeout. If it takes
 * too long the reply is 250 for what is on its way from here, and 450 for what only the far end has; the change is made all
 * the same. ABOR has the same reply at once, and so has a change that is no longer followed here.
 *
 * <p>Thread: the loop.
 */
public final class ChangeWait implements NamespaceChange.Listener {
    /** How long a client waits for the end of a change of what only the far end has. */
    private static final Duration FAR_CHANGE_TIME = Duration.ofSeconds(20);

    private final FtpSession session;
    private final ChangedPath subject;
    private final CustodyLevel level;
    private final Runnable done;
    private @Nullable NamespaceChange change;
    private @Nullable TransferKey key;
    private @Nullable AnswerWait wait;

    private ChangeWait(FtpSession session, ChangedPath subject, CustodyLevel level, Runnable done) {
        this.session = session;
        this.subject = subject;
        this.level = level;
        this.done = done;
    }

    /**
     * Sends a change of {@code subject}.
     *
     * @param attributes its parameters
     * @param done replies when the change has come as far as it must
     */
    public static void send(
            FtpSession session, ChangedPath subject, TransferKind kind, Map<String, String> attributes, Runnable done) {
        send(session, subject, Change.of(kind, attributes), List.of(subject.path()), done);
    }

    /** Renames {@code subject}; {@code target} is a path of the same topic. */
    public static void rename(FtpSession session, ChangedPath subject, FtpPath target, Runnable done) {
        String name = session.names().place(target).orElseThrow().name();
        send(session, subject, Change.rename(name), List.of(subject.path(), target), done);
    }

    /** Of several paths the one with the strictest level counts. */
    private static void send(
            FtpSession session, ChangedPath subject, Change change, List<FtpPath> paths, Runnable done) {
        CustodyLevel level = subject.onItsWay()
                ? paths.stream()
                        .map(session::custody)
                        .max(CustodyLevel::compareTo)
                        .orElseThrow()
                : CustodyLevel.DELIVERED;
        ChangeWait wait = new ChangeWait(session, subject, level, done);
        wait.change = NamespaceChange.send(
                session.names(),
                session.requester(),
                subject,
                change,
                new NamespaceChange.Terms(level, session.policy().custody().completion()),
                wait);
    }

    @Override
    public void waits(TransferKey transfer) {
        key = transfer;
        AnswerWait waiting = AnswerWait.begin(session, "Waiting until transfer " + transfer.id() + " is " + level);
        wait = waiting;
        waiting.whenGivenUp(this::leave); // the change is made without its client
        waiting.whenAborted(this::late);
        waiting.within(subject.onItsWay() ? session.limits().times().custody() : FAR_CHANGE_TIME, this::late);
        if (session.isClosing()) {
            leave();
            waiting.end(this::late); // the server stops
        }
    }

    @Override
    public void done() {
        end(done);
    }

    @Override
    public void notFollowed() {
        end(this::late);
    }

    @Override
    public void refused(RequestFailure failure) {
        end(() -> {
            if (key != null) {
                session.names().reportedFailures().add(key);
            }
            session.reply(FailureReplies.of(subject.path(), failure));
        });
    }

    private void end(Runnable reply) {
        if (wait != null) {
            wait.end(reply);
        } else {
            session.ifOpen(reply);
        }
    }

    /** As for uploads, what is accepted and on its way is no failure; but whether the far end has such a file is not known. */
    private void late() {
        leave();
        String id = Objects.requireNonNull(key).id().toString();
        if (subject.onItsWay()) {
            session.names().used(subject.place().topic());
            session.reply(
                    ReplyCode.FILE_ACTION_OK,
                    "Transfer " + id + " is queued, not yet " + level + "; see SITE RECEIPT " + id + ".");
        } else {
            session.replyAbout(
                    ReplyCode.FILE_BUSY,
                    subject.path(),
                    "the far end has not answered; the change is queued and will be made, transfer " + id);
        }
    }

    private void leave() {
        Objects.requireNonNull(change).leave();
    }
}
