package io.hawser.agenta.ftp.namespace;

import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.control.Transfer;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.agenta.namespace.Namespace;
import io.hawser.agenta.namespace.ObstacleSearch;
import io.hawser.agenta.namespace.PrintableNames;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;

/**
 * Checks for a command, before it begins, whether something new can get a name at all: reserved names are always refused, and so is a
 * name with an obstacle that is known in time. ABOR ends the wait.
 *
 * <p>An account that may neither list nor read is told nothing of what is there; for it the far end decides when it arrives.
 *
 * <p>Thread: the loop.
 */
public final class NewNameCheck implements Transfer {
    private final FtpSession session;
    private final FtpPath path;
    private final ReplyCode refusal;
    private final Runnable free;
    private boolean answered;

    private NewNameCheck(FtpSession session, FtpPath path, ReplyCode refusal, Runnable free) {
        this.session = session;
        this.path = path;
        this.refusal = refusal;
        this.free = free;
    }

    /**
     * Checks for the command that runs.
     *
     * @param path a path that has a place
     * @param made whether directories that are missing above it are made with it
     * @param refusal the code of the reply if something is in the way
     * @param free runs if nothing is in the way, and replies; perhaps inside this call
     */
    public static void check(FtpSession session, FtpPath path, boolean made, ReplyCode refusal, Runnable free) {
        Namespace.Place place = session.names().place(path).orElseThrow();
        String reserved = PrintableNames.isShown(place.name())
                ? ObstacleSearch.reserved(place)
                : "A new name must not contain control characters";
        if (!reserved.isEmpty()) {
            session.dataPort().close();
            session.replyAbout(ReplyCode.NAME_NOT_ALLOWED, path, reserved);
        } else if (!session.seesNames()) {
            free.run();
        } else {
            NewNameCheck question = new NewNameCheck(session, path, refusal, free);
            session.names().obstacles().above(place, made, question::told);
            if (!question.answered) {
                session.waitBegins(question);
            }
        }
    }

    private void told(String obstacle) {
        if (!answer()) {
            return;
        }
        if (obstacle.isEmpty()) {
            free.run();
        } else {
            session.dataPort().close(); // MODE E's connections stay: they are in step with the peer
            session.replyAbout(refusal, path, obstacle);
        }
    }

    @Override
    public void abort(FtpReply reply) {
        if (answer()) {
            session.dataPort().close();
            session.reply(reply);
        }
    }

    /** Whether this is the first answer, and there is a client for it. */
    private boolean answer() {
        if (answered) {
            return false;
        }
        answered = true;
        session.waitEnds();
        return session.isOpen();
    }
}
