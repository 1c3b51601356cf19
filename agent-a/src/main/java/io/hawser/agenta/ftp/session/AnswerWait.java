package io.hawser.agenta.ftp.session;

import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.control.RunningCommand;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/**
 * The time in which a command waits for an answer, such as what the far end says of a name. ABOR ends it, and so does the server's stop;
 * the answer is dropped then.
 *
 * <p>Thread: the loop.
 */
public final class AnswerWait implements RunningCommand {
    private static final String FAR_END = "Waiting for what the far end says";

    private final FtpSession session;
    private final String progress;
    private Runnable givenUp = () -> {};
    private @Nullable Runnable aborted;
    private @Nullable ScheduledFuture<?> timeout;
    private boolean over;

    private AnswerWait(FtpSession session, String progress) {
        this.session = session;
        this.progress = progress;
    }

    /** The command that runs in {@code session} waits for the far end from now on. */
    public static AnswerWait begin(FtpSession session) {
        return begin(session, FAR_END);
    }

    /** The same for another answer; {@code progress} is what STAT tells. */
    public static AnswerWait begin(FtpSession session, String progress) {
        AnswerWait wait = new AnswerWait(session, progress);
        session.waitBegins(wait);
        return wait;
    }

    /** {@code run} is run if the wait is ended before the answer is there. */
    public void whenGivenUp(Runnable run) {
        givenUp = run;
    }

    /** {@code reply} is run in place of the usual reply to ABOR and at the server's stop. */
    public void whenAborted(Runnable reply) {
        aborted = reply;
    }

    /** {@code late}, which replies, is run if the answer is not there in that time. */
    public void within(Duration time, Runnable late) {
        if (!over) {
            timeout = session.later(time.toNanos(), () -> end(late));
        }
    }

    /** The answer is there, perhaps at once. If the command still waits, and there is a client, {@code task} runs. */
    public void end(Runnable task) {
        if (endsNow()) {
            session.ifOpen(task);
        }
    }

    /** Ends the wait; whether it had not ended before. */
    boolean endsNow() {
        if (over) {
            return false;
        }
        over = true;
        if (timeout != null) {
            timeout.cancel(false);
        }
        session.waitEnds();
        return true;
    }

    @Override
    public Optional<String> progress() {
        return Optional.of(progress);
    }

    @Override
    public void abort(FtpReply reply) {
        givenUp.run();
        end(
                aborted != null
                        ? aborted
                        : () -> {
                            session.dataPort().close(); // MODE E's connections stay: they are in step with the peer
                            session.reply(reply);
                        });
    }
}
