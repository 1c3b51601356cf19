package io.hawser.agenta.ftp.namespace;

import io.hawser.agenta.ftp.session.AnswerWait;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.agenta.namespace.Namespace;
import io.hawser.agenta.namespace.ObstacleSearch;
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
public final class NewNameCheck {
    private NewNameCheck() {}

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
        String unusable = ObstacleSearch.unusable(place);
        if (!unusable.isEmpty()) {
            session.dataPort().close();
            session.replyAbout(ReplyCode.NAME_NOT_ALLOWED, path, unusable);
        } else if (!session.seesNames()) {
            free.run();
        } else {
            AnswerWait wait = AnswerWait.begin(session);
            session.names()
                    .obstacles()
                    .above(
                            place,
                            made,
                            obstacle -> wait.end(() -> {
                                if (obstacle.isEmpty()) {
                                    free.run();
                                } else {
                                    session.dataPort()
                                            .close(); // MODE E's connections stay: they are in step with the peer
                                    session.replyAbout(refusal, path, obstacle);
                                }
                            }));
        }
    }
}
