package io.hawser.agenta.ftp.control;

import io.hawser.core.ftp.CommandLine;
import io.hawser.core.ftp.CommandLineParser.Parsed;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.model.Printable;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commands of one client and their replies, in the order of the commands, however many a client sends ahead (lftp and pipelining
 * clients do). ABOR overtakes: it ends the transfer that runs, or the wait. So does STAT, which only asks.
 *
 * <p>Thread: the loop.
 */
public final class CommandPipeline {
    private static final Logger LOG = LoggerFactory.getLogger(CommandPipeline.class);

    private final ControlChannel control;
    private final Session session;
    private final CommandQueue commands;
    private @Nullable RunningCommand running;

    /** The session that the commands belong to. */
    public interface Session {
        boolean isLoggedIn();

        FtpReply status();

        /** Runs a command; it gives one final reply, in this call or later. */
        void run(CommandLine line);

        /** The command that runs gets this final reply now. */
        void replied(FtpReply reply);

        /** What came is not FTP; the connection is being closed. */
        void refusedStranger(String firstWord, String what);

        /** The client is gone; a transfer that runs has not been ended yet. */
        void left();

        /** The client is gone, and nothing runs any more. */
        void ended();
    }

    CommandPipeline(ControlChannel control, FtpLimits limits, Session session) {
        this.control = control;
        this.session = session;
        this.commands =
                new CommandQueue(() -> limits.commands().of(session.isLoggedIn()), control::isWritable, this::run);
    }

    void greet() {
        control.send(FtpReply.of(ReplyCode.READY, "Hawser agent-a ready."));
    }

    void received(Parsed parsed) {
        if (commands.isClosed()) {
            return;
        }
        if (parsed instanceof Parsed.Endless) {
            end(FtpReply.of(ReplyCode.NOT_AVAILABLE, "A command line that does not end; closing."));
            return;
        }
        boolean asks = parsed instanceof Parsed.Command command && asksForProgress(command.line());
        if (asks && control.isWritable()) {
            control.send(session.status()); // RFC 959 section 4.1.3: ahead of the transfer's own reply
            return;
        }
        boolean abort = parsed instanceof Parsed.Command command
                && command.line().verb().equals("ABOR");
        boolean taken = abort ? commands.addFirst(parsed) : commands.add(parsed);
        if (running != null
                && !asks) { // a STAT that waits, since replies are not read, says nothing about the transfer
            if (abort) {
                running.abort(FtpReply.of(ReplyCode.TRANSFER_ABORTED, "Transfer aborted."));
            } else {
                running.commandArrived();
            }
        }
        if (!taken) {
            end(FtpReply.of(ReplyCode.NOT_AVAILABLE, "Too many commands ahead of their replies."));
        }
        pump();
    }

    private boolean asksForProgress(CommandLine line) {
        return running != null && line.verb().equals("STAT") && line.argument().isBlank();
    }

    /** How far the transfer is that runs, or what is waited for. */
    public Optional<String> progress() {
        return running == null ? Optional.empty() : running.progress();
    }

    /** Runs what waits, unless a reply is outstanding or the client does not read its replies. */
    void pump() {
        commands.pump();
    }

    private void run(Parsed parsed) {
        if (parsed instanceof Parsed.Command command) {
            run(command.line());
        } else if (parsed instanceof Parsed.TooLong tooLong) {
            reply(ReplyCode.SYNTAX_ERROR, "A command line has at most " + tooLong.maxBytes() + " bytes.");
        }
    }

    private void run(CommandLine line) {
        if (!session.isLoggedIn() && HttpDetector.isIn(line)) {
            refuseWebRequest(line);
            return;
        }
        LOG.atDebug()
                .addKeyValue("session", control.id())
                .addKeyValue("command", line)
                .log("command");
        session.run(line);
    }

    /** What follows is not run: a web page may have chosen it. */
    private void refuseWebRequest(CommandLine line) {
        noteStranger("HTTP", line.verb());
        replyAndClose(FtpReply.of(ReplyCode.NOT_AVAILABLE, "This is an FTP server, not an HTTP server; closing."));
    }

    /** A TLS greeting holds bytes of others' choice (tickets), in which there may be commands. */
    void refuseTlsInClear() {
        noteStranger("TLS", "-");
        end(FtpReply.of(ReplyCode.NOT_AVAILABLE, "TLS begins with AUTH TLS on this port; closing."));
    }

    private void noteStranger(String protocol, String firstWord) {
        String what = protocol + " on the FTP port; connection closed";
        if (control.isNews(what)) {
            LOG.atWarn()
                    .addKeyValue("session", control.id())
                    .addKeyValue("peer", control.peer())
                    .addKeyValue("firstWord", Printable.shortly(firstWord))
                    .log(what);
        }
        session.refusedStranger(firstWord, what);
    }

    /** The client is gone. */
    void controlClosed() {
        commands.close();
        session.left();
        if (running != null) {
            running.controlClosed();
        }
        session.ended();
    }

    /** Ends the session of an idle client; one that waits for a transfer is not idle. */
    void idle() {
        if (!commands.isRunning()) {
            end(FtpReply.of(ReplyCode.NOT_AVAILABLE, "Nothing was heard for a while; closing."));
        }
    }

    /** The server stops: a transfer that can still be ended is, another is waited for. */
    public void stop() {
        FtpReply stopping = FtpReply.of(ReplyCode.NOT_AVAILABLE, "Hawser is stopping.");
        if (running == null) {
            end(stopping);
        } else {
            commands.close(); // before the abort: its reply is the last one
            running.abort(stopping);
        }
    }

    /** Ends the session with a reply that belongs to no command. */
    public void end(FtpReply reply) {
        commands.close();
        control.send(reply);
        control.closeAfterReplies();
    }

    /** The one final reply of the command that runs. */
    public void reply(FtpReply reply) {
        if (reply.code().isPreliminary() || !commands.isRunning()) {
            throw new IllegalStateException("not the final reply of a command: " + reply);
        }
        session.replied(reply);
        commands.replied();
        control.send(reply);
        if (commands.isClosed()) {
            control.closeAfterReplies();
        }
        pump();
    }

    /** The same, of one line. */
    public void reply(ReplyCode code, String text) {
        reply(FtpReply.of(code, text));
    }

    /** A marker: left out when the client does not read its replies. */
    public void marker(FtpReply reply) {
        if (control.isWritable()) {
            control.send(reply);
        }
    }

    /** A reply before the final one. */
    public void preliminary(ReplyCode code, String text) {
        control.send(FtpReply.of(code, text));
    }

    /** The command's final reply, after which the connection is closed. */
    public void replyAndClose(FtpReply reply) {
        commands.close();
        reply(reply);
    }

    /** The final reply of the command that runs has been sent on the control connection itself. */
    public void replySent() {
        commands.replied();
        pump();
    }

    /** Whether the client has sent nothing after the command that runs. */
    public boolean isNothingAhead() {
        return commands.isEmpty() && control.isQuiet();
    }

    /** Whether nothing more is run, and the connection ends after what is outstanding. */
    public boolean isClosing() {
        return commands.isClosed();
    }

    /** The final reply of the command that runs is a transfer's, or comes after a wait. */
    public void begins(RunningCommand begun) {
        running = begun;
    }

    /** The transfer or wait is over; the reply follows. */
    public void ends() {
        running = null;
    }
}
