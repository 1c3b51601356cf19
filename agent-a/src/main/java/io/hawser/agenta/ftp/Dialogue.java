package io.hawser.agenta.ftp;

import io.hawser.core.ftp.CommandLine;
import io.hawser.core.ftp.CommandLineParser.Parsed;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.model.Printable;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one client says on its control connection, and what it is answered: replies in the order of the commands, however many a client sends
 * ahead (lftp and pipelining clients do). ABOR alone overtakes: it ends the transfer that runs, or the wait. So does STAT, which only asks.
 *
 * <p>Thread: the loop.
 */
final class Dialogue {
    private static final Logger LOG = LoggerFactory.getLogger(Dialogue.class);

    private final FtpSession session;
    private final ControlChannel control;
    private final CommandQueue commands;
    private final SessionAudit audit;
    private @Nullable Transfer transfer;

    Dialogue(FtpSession session, ControlChannel control) {
        this.session = session;
        this.control = control;
        this.audit = new SessionAudit(session, control);
        this.commands = new CommandQueue(session.server().limits().maxQueuedCommands(), control::isWritable, this::run);
    }

    /** The session's notes for the audit log. */
    SessionAudit audit() {
        return audit;
    }

    /** What waits to be run. */
    CommandQueue commands() {
        return commands;
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
        if (parsed instanceof Parsed.Command command && asksForProgress(command.line())) {
            control.send(session.status()); // RFC 959 section 4.1.3: ahead of the transfer's own reply
            return;
        }
        boolean abort = parsed instanceof Parsed.Command command
                && command.line().verb().equals("ABOR");
        boolean taken = abort ? commands.addFirst(parsed) : commands.add(parsed);
        if (transfer != null) {
            if (abort) {
                transfer.abort(FtpReply.of(ReplyCode.TRANSFER_ABORTED, "Transfer aborted."));
            } else {
                transfer.commandArrived();
            }
        }
        if (!taken) {
            end(FtpReply.of(ReplyCode.NOT_AVAILABLE, "Too many commands ahead of their replies."));
        }
        pump();
    }

    private boolean asksForProgress(CommandLine line) {
        return transfer != null && line.verb().equals("STAT") && line.argument().isBlank();
    }

    /** How far the transfer is that runs, or what is waited for. */
    Optional<String> progress() {
        return transfer == null ? Optional.empty() : transfer.progress();
    }

    /** Runs what waits, unless a reply is outstanding or the client does not read its replies. */
    void pump() {
        commands.pump();
    }

    private void run(Parsed parsed) {
        if (!(parsed instanceof Parsed.Command whole)) {
            int limit = session.server().limits().maxLineBytes();
            reply(FtpReply.of(ReplyCode.SYNTAX_ERROR, "A command line has at most " + limit + " bytes."));
            return;
        }
        CommandLine line = whole.line();
        if (!session.isLoggedIn() && WebRequest.isIn(line)) {
            refuseWebRequest(line);
            return;
        }
        LOG.atDebug()
                .addKeyValue("session", control.id())
                .addKeyValue("command", line)
                .log("command");
        audit.begins(line);
        session.server().commands().run(session, line);
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
        LOG.atWarn()
                .addKeyValue("session", control.id())
                .addKeyValue("peer", control.peer())
                .addKeyValue("firstWord", Printable.shortly(firstWord))
                .log(what);
        session.server().audit().note("-", "connect", firstWord, control.peer().toString(), what);
    }

    /** The client is gone. */
    void controlClosed() {
        audit.left();
        commands.close();
        session.dataPaths().port().close();
        if (transfer != null) {
            transfer.controlClosed();
        }
        session.dataPaths().close();
    }

    /** An idle client is told to go; one that waits for a transfer is not idle. */
    void idle() {
        if (!commands.isRunning()) {
            end(FtpReply.of(ReplyCode.NOT_AVAILABLE, "Nothing was heard for a while; closing."));
        }
    }

    /** The server stops: a transfer that can still be ended is, another is waited for. */
    void stop() {
        FtpReply stopping = FtpReply.of(ReplyCode.NOT_AVAILABLE, "Hawser is stopping.");
        if (transfer == null) {
            end(stopping);
        } else {
            commands.close(); // before the abort: its reply is the last one
            transfer.abort(stopping);
        }
    }

    /** The session ends, with a reply that belongs to no command. */
    void end(FtpReply reply) {
        commands.close();
        control.send(reply);
        control.closeAfterReplies();
    }

    /** The one final reply of the command that runs. */
    void reply(FtpReply reply) {
        if (reply.code().isPreliminary() || !commands.isRunning()) {
            throw new IllegalStateException("not the final reply of a command: " + reply);
        }
        audit.replied(reply);
        commands.replied();
        control.send(reply);
        if (commands.isClosed()) {
            control.closeAfterReplies();
        }
        pump();
    }

    /** A marker: left out when the client does not read its replies. */
    void marker(FtpReply reply) {
        if (control.isWritable()) {
            control.send(reply);
        }
    }

    /** A reply before the final one. */
    void preliminary(FtpReply reply) {
        control.send(reply);
    }

    /** The command's final reply, after which the connection is closed. */
    void replyAndClose(FtpReply reply) {
        commands.close();
        reply(reply);
    }

    /** Whether nothing more is run, and the connection ends behind what is outstanding. */
    boolean isClosing() {
        return commands.isClosed();
    }

    /** The final reply of the command that runs is a transfer's, or comes behind a wait. */
    void begins(Transfer begun) {
        transfer = begun;
    }

    /** It is over; the reply follows. */
    void ends() {
        transfer = null;
    }
}
