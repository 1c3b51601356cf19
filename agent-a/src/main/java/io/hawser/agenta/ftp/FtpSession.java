package io.hawser.agenta.ftp;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.account.Permission;
import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.common.ftp.CommandLine;
import io.hawser.common.ftp.CommandLineParser.Parsed;
import io.hawser.common.ftp.FtpPath;
import io.hawser.common.ftp.ReplyCode;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's session, as its commands see it: who it is, where it stands, and the transfer that is under way. It gives the
 * replies in the order of the commands, however many a client sends ahead (lftp and pipelining clients do). ABOR alone
 * overtakes: it ends a transfer that is running.
 *
 * <p>Thread: the loop.
 */
public final class FtpSession {
    private static final Logger LOG = LoggerFactory.getLogger(FtpSession.class);

    private final FtpServer server;
    private final ControlChannel control;
    private final CommandQueue commands;
    private final SessionLogin login;
    private final DataPaths dataPaths;
    private final SessionTls tls;
    private final TransferSettings settings = new TransferSettings();
    private final Set<ClientQuirk> quirks = EnumSet.noneOf(ClientQuirk.class);
    private FtpPath workingDirectory = FtpPath.ROOT;
    private @Nullable Transfer transfer;

    FtpSession(FtpServer server, ControlChannel control) {
        this.server = server;
        this.control = control;
        this.commands = new CommandQueue(server.limits().maxQueuedCommands(), control::isWritable, this::run);
        this.login = new SessionLogin(server, control);
        this.dataPaths = new DataPaths(this, control);
        this.tls = new SessionTls(this, control, commands);
    }

    // --- what the control connection says
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
            control.send(status()); // RFC 959 section 4.1.3: ahead of the transfer's own reply
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

    /** What STAT tells of this session. */
    public FtpReply status() {
        Optional<String> progress = transfer == null ? Optional.empty() : transfer.progress();
        return SessionStatus.of(this, control.peer().getAddress(), progress);
    }

    /** How far an upload to that path must come before its final reply. */
    CustodyLevel custody(FtpPath path) {
        CustodyLevel own = identity().custody();
        return own != null ? own : server.config().custody().of(path);
    }

    /** Runs what waits, unless a reply is outstanding or the client does not read its replies. */
    void pump() {
        commands.pump();
    }

    private void run(Parsed parsed) {
        if (!(parsed instanceof Parsed.Command whole)) {
            int limit = server.limits().maxLineBytes();
            reply(FtpReply.of(ReplyCode.SYNTAX_ERROR, "A command line has at most " + limit + " bytes."));
            return;
        }
        CommandLine line = whole.line();
        LOG.atDebug()
                .addKeyValue("session", control.id())
                .addKeyValue("command", line)
                .log("command");
        server.commands().run(this, line);
    }

    void controlClosed() {
        commands.close();
        dataPaths.port().close();
        if (transfer != null) {
            transfer.controlClosed();
        }
        dataPaths.close();
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

    // --- what commands use
    /** The one final reply of the command that runs. */
    public void reply(FtpReply reply) {
        if (reply.code().isPreliminary() || !commands.isRunning()) {
            throw new IllegalStateException("not the final reply of a command: " + reply);
        }
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
    public void preliminary(FtpReply reply) {
        control.send(reply);
    }

    /** The command's final reply, after which the connection is closed. */
    public void replyAndClose(FtpReply reply) {
        commands.close();
        reply(reply);
    }

    private void end(FtpReply reply) {
        commands.close();
        control.send(reply);
        control.closeAfterReplies();
    }

    /** The server that this session belongs to. */
    public FtpServer server() {
        return server;
    }

    /** Whether somebody is logged in. */
    public boolean isLoggedIn() {
        return login.isComplete();
    }

    /** The account; only when logged in. */
    public String account() {
        return identity().name();
    }

    /** Who is logged in, with what it may do; only when logged in. */
    public Account identity() {
        return login.account();
    }

    /** Whether the account may do that; if not, the refusal has been sent. */
    public boolean require(Permission permission) {
        boolean may = identity().may(permission);
        if (!may) {
            reply(FtpReply.of(ReplyCode.FILE_UNAVAILABLE, "Permission denied"));
        }
        return may;
    }

    /** Whether the account may know what is there: one that only uploads is told nothing of other's names. */
    public boolean seesNames() {
        return identity().may(Permission.LIST) || identity().may(Permission.READ);
    }

    /** USER: a new login begins. */
    public void user(String name) {
        login.user(name);
        settings.reset();
        workingDirectory = FtpPath.ROOT;
        dataPaths.close();
    }

    /** REIN: nobody is logged in, and nothing that was said before holds. */
    public void reinitialize() {
        login.forget();
        settings.reset();
        quirks.clear();
        workingDirectory = FtpPath.ROOT;
        dataPaths.close();
    }

    /**
     * PASS. {@code checked} is called, perhaps later, with whether the password is right; then somebody is logged in.
     *
     * @return false if no user was named; then there is no call
     */
    public boolean password(String password, Consumer<Boolean> checked) {
        return login.password(password, account -> {
            account.ifPresent(in -> workingDirectory = in.root());
            ifOpen(() -> checked.accept(account.isPresent()));
        });
    }

    /** Who the client is, and how it got there. */
    public SessionLogin login() {
        return login;
    }

    /** Its TLS. */
    public SessionTls tls() {
        return tls;
    }

    /** What TLS protects. */
    public Protection protection() {
        return tls.protection();
    }

    /** The settings of transfers. */
    public TransferSettings settings() {
        return settings;
    }

    /** The working directory. */
    public FtpPath workingDirectory() {
        return workingDirectory;
    }

    /** Changes the working directory. */
    public void workingDirectory(FtpPath path) {
        workingDirectory = path;
    }

    /** What is known of this client's ways. */
    public Set<ClientQuirk> quirks() {
        return quirks;
    }

    /** The path that an argument means, or empty; then the refusal has been sent. */
    public Optional<FtpPath> resolve(String argument) {
        if (argument.isEmpty()) {
            reply(FtpReply.of(ReplyCode.ARGUMENT_ERROR, "A path is missing."));
            return Optional.empty();
        }
        try {
            return Optional.of(workingDirectory.resolve(argument));
        } catch (FtpPath.BadNameException e) {
            reply(FtpReply.about(ReplyCode.NAME_NOT_ALLOWED, argument, e.why()));
            return Optional.empty();
        }
    }

    /**
     * Runs {@code task} on the session's thread after a while, if the session still is. What waits long is cancelled when it is
     * no longer wanted: until then it holds all that the task knows.
     */
    public ScheduledFuture<?> later(long delayNanos, Runnable task) {
        return control.later(delayNanos, task);
    }

    /** Whether there still is a client. */
    boolean isOpen() {
        return control.isOpen();
    }

    /** Runs {@code task}, which replies, if there still is a client. */
    public void ifOpen(Runnable task) {
        if (control.isOpen()) {
            task.run();
        }
    }

    /** The way to the next data connection. */
    public DataPort dataPort() {
        return dataPaths.port();
    }

    /** All ways that data may take. */
    public DataPaths dataPaths() {
        return dataPaths;
    }

    boolean isClosing() {
        return commands.isClosed();
    }

    void transferBegins(Transfer begun) {
        transfer = begun;
        String delayed = settings.takeDelayedAddress();
        if (!delayed.isEmpty()) {
            preliminary(FtpReply.of(ReplyCode.DELAYED_PASSIVE, delayed));
        }
    }

    /** The command that runs waits for something that ABOR may end; {@link #waitEnds} comes before its reply. */
    void waitBegins(Transfer wait) {
        transfer = wait;
    }

    /** Nothing is waited for any more; the reply follows. */
    void waitEnds() {
        transfer = null;
    }

    /** The transfer is over; its reply goes out if there still is a client. */
    void transferEnds(FtpReply reply) {
        transfer = null;
        if (control.isOpen()) {
            reply(reply);
        }
    }

    /** How long the evidence of an upload's end takes on this connection: max(configured, 4 x RTT). */
    long evidenceWindowNanos() {
        return Math.max(server.limits().evidenceWindow().toNanos(), 4 * control.roundTripNanos());
    }

    /** A name for logs. */
    String id() {
        return control.id();
    }
}
