package io.hawser.agenta.ftp;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.account.Permission;
import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.agenta.modee.BlockConnections;
import io.hawser.agenta.modee.BlockOutputs;
import io.hawser.common.ftp.CommandLine;
import io.hawser.common.ftp.CommandLineParser.Parsed;
import io.hawser.common.ftp.FtpPath;
import io.hawser.common.ftp.ReplyCode;
import io.hawser.common.model.TransferKey;
import io.hawser.common.spool.TransferState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's session: who it is, where it stands, and the commands that wait. It runs one command at a time and so gives the
 * replies in the order of the commands, however many a client sends ahead (lftp and pipelining clients do). ABOR alone
 * overtakes: it ends a transfer that is running.
 *
 * <p>Thread: the loop.
 */
public final class FtpSession {
    private static final Logger LOG = LoggerFactory.getLogger(FtpSession.class);

    private final FtpServer server;
    private final ControlChannel control;
    private final DataPort dataPort;
    private final BlockConnections blockConnections;
    private final BlockOutputs blockOutputs;
    private final ArrayDeque<Parsed> waiting = new ArrayDeque<>();
    private final Protection protection = new Protection();
    private final TransferSettings settings = new TransferSettings();
    private final Set<ClientQuirk> quirks = EnumSet.noneOf(ClientQuirk.class);
    private LoginState login = new LoginState.Greeted();
    private FtpPath workingDirectory = FtpPath.ROOT;
    private int failedLogins;
    private boolean busy;
    private boolean pumping;
    private boolean closing;
    private @Nullable Transfer transfer;

    FtpSession(FtpServer server, ControlChannel control) {
        this.server = server;
        this.control = control;
        this.dataPort = new DataPort(this, control);
        this.blockConnections = new BlockConnections(server.loop(), dataPort::prepare);
        this.blockOutputs = new BlockOutputs(dataPort::prepare);
    }

    // --- what the control connection says ---

    void greet() {
        control.send(FtpReply.of(ReplyCode.READY, "Hawser agent-a ready."));
    }

    void received(Parsed parsed) {
        if (closing) {
            return;
        }
        if (parsed instanceof Parsed.Command command && command.line().verb().equals("ABOR")) {
            waiting.addFirst(parsed);
            if (transfer != null) {
                transfer.abort(FtpReply.of(ReplyCode.TRANSFER_ABORTED, "Transfer aborted."));
            }
            pump();
            return;
        }
        if (parsed instanceof Parsed.Command command && asksForProgress(command.line())) {
            control.send(status()); // RFC 959 section 4.1.3: ahead of the transfer's own reply
            return;
        }
        if (transfer != null) {
            transfer.commandArrived();
        }
        if (waiting.size() < server.limits().maxQueuedCommands()) {
            waiting.addLast(parsed);
        } else {
            end(FtpReply.of(ReplyCode.NOT_AVAILABLE, "Too many commands ahead of their replies."));
        }
        pump();
    }

    private boolean asksForProgress(CommandLine line) {
        return transfer != null && line.verb().equals("STAT") && line.argument().isBlank();
    }

    /** What STAT tells of this session. */
    public FtpReply status() {
        List<String> lines = new ArrayList<>();
        lines.add("Hawser agent-a:");
        lines.add("Connected from " + control.peer().getAddress().getHostAddress());
        lines.add("Logged in as " + account() + ", permissions "
                + Permission.letters(identity().permissions()));
        lines.add("TYPE " + (settings.ascii() ? "A" : "I") + ", MODE " + (settings.extendedBlocks() ? "E" : "S")
                + ", STRU F");
        lines.add("Control connection: " + (protection.control() ? "TLS" : "clear") + ", data connections: "
                + (protection.data() ? "TLS" : "clear"));
        if (transfer != null) {
            transfer.progress().ifPresent(lines::add);
        }
        lines.add("End of status");
        return new FtpReply(ReplyCode.SYSTEM_STATUS, lines);
    }

    /** How far an upload to that path must come before its final reply. */
    CustodyLevel custody(FtpPath path) {
        CustodyLevel own = identity().custody();
        return own != null ? own : server.config().custody().of(path);
    }

    /** Runs what waits, unless a reply is outstanding or the client does not read its replies. */
    void pump() {
        if (pumping) {
            return;
        }
        pumping = true;
        while (!busy && !closing && !waiting.isEmpty() && control.isWritable()) {
            busy = true;
            run(waiting.removeFirst());
        }
        pumping = false;
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
        Optional<FtpCommand> command = server.commands().find(line.verb());
        if (command.isEmpty() || !command.get().isOfferedBy(server)) {
            reply(
                    server.commands().isKnown(line.verb())
                            ? FtpReply.of(ReplyCode.NOT_IMPLEMENTED, line.verb() + " is not offered.")
                            : FtpReply.of(ReplyCode.SYNTAX_ERROR, "Not an FTP command."));
        } else if (!command.get().allowedBeforeLogin() && !isLoggedIn()) {
            reply(FtpReply.of(ReplyCode.NOT_LOGGED_IN, "Log in with USER and PASS first."));
        } else {
            Permission needed = command.get().permission();
            if (needed == null || require(needed)) {
                command.get().execute(this, line.argument());
            }
        }
    }

    void controlClosed() {
        closing = true;
        waiting.clear();
        dataPort.close();
        if (transfer != null) {
            transfer.controlClosed();
        }
        closeDataPath();
    }

    /** An idle client is told to go; one that waits for a transfer is not idle. */
    void idle() {
        if (!busy) {
            end(FtpReply.of(ReplyCode.NOT_AVAILABLE, "Nothing was heard for a while; closing."));
        }
    }

    /** The server stops: a transfer that can still be ended is, another is waited for. */
    void stop() {
        FtpReply stopping = FtpReply.of(ReplyCode.NOT_AVAILABLE, "Hawser is stopping.");
        if (transfer == null) {
            end(stopping);
        } else {
            closing = true; // before the abort: its reply is the last one
            waiting.clear();
            transfer.abort(stopping);
        }
    }

    // --- what commands use ---

    /** The one final reply of the command that runs. */
    public void reply(FtpReply reply) {
        if (reply.code().isPreliminary() || !busy) {
            throw new IllegalStateException("not the final reply of a command: " + reply);
        }
        busy = false;
        control.send(reply);
        if (closing) {
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
        closing = true;
        reply(reply);
    }

    private void end(FtpReply reply) {
        closing = true;
        waiting.clear();
        control.send(reply);
        control.closeAfterReplies();
    }

    /** The server that this session belongs to. */
    public FtpServer server() {
        return server;
    }

    /** Whether somebody is logged in. */
    public boolean isLoggedIn() {
        return login instanceof LoginState.LoggedIn;
    }

    /** The account; only when logged in. */
    public String account() {
        if (login instanceof LoginState.LoggedIn in) {
            return in.account().name();
        }
        throw new IllegalStateException("not logged in");
    }

    /** Who is logged in, with what it may do; only when logged in. */
    public Account identity() {
        if (login instanceof LoginState.LoggedIn in) {
            return in.account();
        }
        throw new IllegalStateException("not logged in");
    }

    /** Whether the account may do that; if not, the refusal has been sent. */
    public boolean require(Permission permission) {
        boolean may = identity().may(permission);
        if (!may) {
            reply(FtpReply.of(ReplyCode.FILE_UNAVAILABLE, "Permission denied"));
        }
        return may;
    }

    /** USER: a new login begins. */
    public void user(String name) {
        login = login.user(name);
        control.loginChanged();
        settings.reset();
        workingDirectory = FtpPath.ROOT;
        dataPort.close();
        blockConnections.close();
    }

    /**
     * PASS. {@code checked} is called, perhaps later, with whether the password is right; then somebody is logged in.
     *
     * @return false if no user was named; then there is no call
     */
    public boolean password(String password, Consumer<Boolean> checked) {
        if (!(login instanceof LoginState.Named named)) {
            return false;
        }
        server.logins().check(named.user(), password, account -> {
            login = account.map(named::accepted).orElseGet(named::refused);
            if (account.isPresent()) {
                workingDirectory = account.get().root();
                LOG.atInfo()
                        .addKeyValue("session", control.id())
                        .addKeyValue("account", account.get().name())
                        .log("logged in");
            } else {
                failedLogins++;
                server.guard().failed(control.peer().getAddress(), System.nanoTime());
                LOG.atWarn()
                        .addKeyValue("peer", control.peer())
                        .addKeyValue("user", named.user())
                        .log("login refused");
            }
            control.loginChanged();
            ifOpen(() -> checked.accept(account.isPresent()));
        });
        return true;
    }

    /** Whether so many wrong passwords came from the client's address that no further one is looked at for a while. */
    public boolean isBarred() {
        return server.guard().isBarred(control.peer().getAddress(), System.nanoTime());
    }

    /** How often a wrong password came. */
    public int failedLogins() {
        return failedLogins;
    }

    /** What TLS protects. */
    public Protection protection() {
        return protection;
    }

    /** The connection began with TLS. */
    void tlsFromTheBeginning() {
        protection.begun(true);
    }

    /**
     * Sends {@code reply} as the command's final reply and begins TLS behind it; a login must be made anew. False, with no reply
     * sent, if the client has sent more behind its command already: that came in clear.
     */
    public boolean startTls(FtpReply reply) {
        FtpTls tls = server.config().tls();
        if (tls == null || !waiting.isEmpty() || !control.isQuiet()) {
            return false;
        }
        login = new LoginState.Greeted();
        settings.reset();
        dataPort.close();
        protection.begun(false);
        busy = false;
        control.startTls(reply, tls.context());
        return true;
    }

    /** Sends {@code reply} as the command's final reply and ends TLS on the control connection behind it. */
    public void stopTls(FtpReply reply) {
        protection.controlCleared();
        control.stopTls(reply);
        busy = false;
        pump();
    }

    /** Whether TLS is required and this session's control connection is clear. */
    public boolean lacksTls() {
        FtpTls tls = server.config().tls();
        return tls != null && tls.required() && !protection.control();
    }

    /** Whether TLS is required and data connections are clear (RFC 4217 section 12); then the refusal has been sent. */
    boolean lacksDataProtection() {
        FtpTls tls = server.config().tls();
        boolean lacks = tls != null && tls.required() && !protection.data();
        if (lacks) {
            reply(FtpReply.of(ReplyCode.PROTOCOL_NOT_SUPPORTED, "Data connections need PROT P here."));
        }
        return lacks;
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

    /**
     * How far an upload of this account to {@code path} came that broke off, if there is one. What is told of it is remembered, see
     * {@link ToldSizes}.
     */
    public OptionalLong sizeOfIncomplete(FtpPath path) {
        Optional<TransferState> incomplete = server.namespace().place(path).flatMap(p -> server.spool()
                .findIncomplete(account(), p.topic(), p.name()));
        if (incomplete.isEmpty()) {
            return OptionalLong.empty();
        }
        TransferKey key = incomplete.get().key();
        OptionalLong size = server.spool().resumePositionBytes(key);
        size.ifPresent(position -> server.toldSizes().told(key, position));
        return size;
    }

    /** The way to the next data connection. */
    public DataPort dataPort() {
        return dataPort;
    }

    /** The data connections of MODE E. */
    public BlockConnections blockConnections() {
        return blockConnections;
    }

    /** Whether the next transfer has a way for its data in the mode that is in force; if not, the refusal has been sent. */
    public boolean hasDataPath() {
        if (lacksDataProtection()) {
            return false;
        }
        if (!settings.extendedBlocks()) {
            return dataPort.isOpen();
        }
        if (!blockConnections.isOpen()) {
            reply(FtpReply.of(ReplyCode.NO_DATA_CONNECTION, "Use PASV, EPSV or SPAS first."));
            return false;
        }
        return true;
    }

    /** The data connections that this end opens in MODE E. */
    BlockOutputs blockOutputs() {
        return blockOutputs;
    }

    /**
     * Whether something can be sent in MODE E, where the sender connects (GFD.20 section 3.2); if not, the refusal has been sent.
     */
    boolean hasWayOut() {
        if (lacksDataProtection()) {
            return false;
        }
        boolean way = blockOutputs.isCached() || dataPort.hasActiveAddress();
        if (!way) {
            reply(FtpReply.of(
                    ReplyCode.NO_DATA_CONNECTION, "In MODE E the sender connects: use PORT, EPRT or SPOR first."));
        }
        return way;
    }

    /** Closes all that PASV, PORT and their like have opened. */
    public void closeDataPath() {
        dataPort.close();
        blockConnections.close();
        blockOutputs.close();
    }

    boolean isClosing() {
        return closing;
    }

    void transferBegins(Transfer begun) {
        transfer = begun;
        String delayed = settings.takeDelayedAddress();
        if (!delayed.isEmpty()) {
            preliminary(FtpReply.of(ReplyCode.DELAYED_PASSIVE, delayed));
        }
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
