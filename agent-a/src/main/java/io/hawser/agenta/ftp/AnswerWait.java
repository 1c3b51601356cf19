package io.hawser.agenta.ftp;

import java.util.Optional;

/**
 * The time in which a command waits for what the far edge says of a name or a directory. ABOR ends it, and so does the server's stop; the
 * answer is then nobody's.
 *
 * <p>Thread: the loop.
 */
public final class AnswerWait implements Transfer {
    private final FtpSession session;
    private final Runnable givenUp;
    private boolean over;

    private AnswerWait(FtpSession session, Runnable givenUp) {
        this.session = session;
        this.givenUp = givenUp;
    }

    /** The command that runs in {@code session} waits from now on. */
    public static AnswerWait begin(FtpSession session) {
        return begin(session, () -> {});
    }

    /** The same; {@code givenUp} runs if it is ended before the answer is there. */
    static AnswerWait begin(FtpSession session, Runnable givenUp) {
        AnswerWait wait = new AnswerWait(session, givenUp);
        session.waitBegins(wait);
        return wait;
    }

    /** The answer is there, perhaps at once. If the command still waits, and there is a client, {@code task} goes on with it. */
    public void end(Runnable task) {
        if (!over) {
            over = true;
            session.waitEnds();
            session.ifOpen(task);
        }
    }

    @Override
    public Optional<String> progress() {
        return Optional.of("Waiting for what the far end says");
    }

    @Override
    public void abort(FtpReply reply) {
        givenUp.run();
        end(() -> {
            session.dataPort().close(); // MODE E's connections stay: they are in step with the peer
            session.reply(reply);
        });
    }
}
