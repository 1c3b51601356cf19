package io.hawser.agenta.ftp;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.account.Permission;
import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.agenta.custody.CustodyState;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.store.spool.TransferState;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Consumer;

/**
 * One client's session, as its commands see it: who it is, where it stands, and what it has set. What it says and is answered is its
 * {@link Dialogue}.
 *
 * <p>Thread: the loop.
 */
public final class FtpSession {
    private final FtpServer server;
    private final ControlChannel control;
    private final Dialogue dialogue;
    private final SessionLogin login;
    private final DataPaths dataPaths;
    private final SessionTls tls;
    private final SessionGsi gsi;
    private final TransferSettings settings = new TransferSettings();
    private final Set<ClientQuirk> quirks = EnumSet.noneOf(ClientQuirk.class);
    private FtpPath workingDirectory = FtpPath.ROOT;

    FtpSession(FtpServer server, ControlChannel control, FtpDoor door) {
        this.server = server;
        this.control = control;
        this.dialogue = new Dialogue(this, control);
        this.login = new SessionLogin(server, control);
        this.dataPaths = new DataPaths(this, control);
        this.tls = new SessionTls(this, control, dialogue.commands());
        this.gsi = new SessionGsi(this, control, door == FtpDoor.GRIDFTP ? server.gate() : null);
    }

    /** The commands and replies. */
    Dialogue dialogue() {
        return dialogue;
    }

    /** What STAT tells of this session. */
    public FtpReply status() {
        return SessionStatus.of(this, control.peer().getAddress(), dialogue.progress());
    }

    /** How far an upload to that path must come before its final reply. */
    CustodyLevel custody(FtpPath path) {
        CustodyLevel own = identity().custody();
        return own != null ? own : server.config().custody().of(path);
    }

    /** How far a transfer came, by the rule that holds here. */
    public CustodyState custody(TransferState state) {
        return CustodyState.of(state, server.config().custody().completion());
    }

    /** The one final reply of the command that runs. */
    public void reply(FtpReply reply) {
        dialogue.reply(reply);
    }

    /** The same, of one line. */
    public void reply(ReplyCode code, String text) {
        reply(FtpReply.of(code, text));
    }

    /** The same about a path, see {@link FtpReply#about}. */
    public void replyAbout(ReplyCode code, Object path, String text) {
        reply(FtpReply.about(code, path, text));
    }

    /** A marker: left out when the client does not read its replies. */
    void marker(FtpReply reply) {
        dialogue.marker(reply);
    }

    /** A reply before the final one. */
    public void preliminary(FtpReply reply) {
        dialogue.preliminary(reply);
    }

    /** The command's final reply, after which the connection is closed. */
    public void replyAndClose(ReplyCode code, String text) {
        dialogue.replyAndClose(FtpReply.of(code, text));
    }

    /** The commands that the server offers. */
    public CommandTable commands() {
        return server.commands();
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
        return login.password(password, gsi.login(), account -> {
            account.ifPresent(in -> workingDirectory = in.root());
            ifOpen(() -> checked.accept(account.isPresent()));
        });
    }

    /** Who the client is, and how it got there. */
    public SessionLogin login() {
        return login;
    }

    /** Its GSI. */
    public SessionGsi gsi() {
        return gsi;
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
        return dialogue.isClosing();
    }

    void transferBegins(Transfer begun) {
        dialogue.begins(begun);
        String delayed = settings.takeDelayedAddress();
        if (!delayed.isEmpty()) {
            preliminary(FtpReply.of(ReplyCode.DELAYED_PASSIVE, delayed));
        }
    }

    /** The command that runs waits for something that ABOR may end; {@link #waitEnds} comes before its reply. */
    void waitBegins(Transfer wait) {
        dialogue.begins(wait);
    }

    /** Nothing is waited for any more; the reply follows. */
    void waitEnds() {
        dialogue.ends();
    }

    /** The transfer is over; its reply goes out if there still is a client. */
    void transferEnds(FtpReply reply) {
        dialogue.ends();
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
