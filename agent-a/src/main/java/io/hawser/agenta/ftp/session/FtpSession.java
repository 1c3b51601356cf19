package io.hawser.agenta.ftp.session;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.account.Permission;
import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.agenta.custody.CustodyProgress;
import io.hawser.agenta.download.DownloadService;
import io.hawser.agenta.ftp.control.CommandPipeline;
import io.hawser.agenta.ftp.control.ControlChannel;
import io.hawser.agenta.ftp.control.FtpLimits;
import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.control.ListenerKind;
import io.hawser.agenta.ftp.control.RunningCommand;
import io.hawser.agenta.ftp.login.DataProtection;
import io.hawser.agenta.ftp.login.SessionGsi;
import io.hawser.agenta.ftp.login.SessionLogin;
import io.hawser.agenta.ftp.login.SessionTls;
import io.hawser.agenta.ftp.login.TlsProtection;
import io.hawser.agenta.gsi.GsiGate;
import io.hawser.agenta.namespace.NamespaceService;
import io.hawser.agenta.namespace.Requester;
import io.hawser.agenta.upload.UploadService;
import io.hawser.core.ftp.CommandLine;
import io.hawser.core.ftp.CommandLineParser.Parsed;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.model.TransferKey;
import io.hawser.gsi.GsiException;
import io.hawser.store.spool.TransferSnapshot;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One client's session, as its commands see it: its account, working directory and settings. Its commands and replies are the
 * {@link CommandPipeline}'s.
 *
 * <p>Thread: the loop.
 */
public final class FtpSession {
    /** Of a line with a token of GSI. Real programs send some kilobytes; attributes of a virtual organisation make some ten. */
    private static final int MAX_TOKEN_LINE_BYTES = 64 << 10;

    private final FtpServices services;
    private final ControlChannel control;
    private final CommandPipeline pipeline;
    private final SessionAudit audit;
    private final SessionLogin login;
    private final DataConnections dataPaths;
    private final SessionTls tls;
    private final SessionGsi gsi;
    private final TransferSettings settings = new TransferSettings();
    private String clientName = "";
    private FtpPath workingDirectory = FtpPath.ROOT;

    /**
     * A session that begins with {@link #control}'s channel.
     *
     * @param sessions those of the server, which it leaves when the client is gone
     */
    public FtpSession(FtpServices services, Channel channel, ListenerKind port, FtpSessions sessions) {
        this.services = services;
        SessionPolicy policy = services.policy();
        GsiGate gate = port == ListenerKind.GRIDFTP ? services.logins().gate() : null;
        this.control = new ControlChannel(channel, policy.limits(), services.refusals(), new Owner(sessions));
        this.pipeline = control.pipeline();
        this.audit = new SessionAudit(this, control.peer(), services.audit(), services.transfers());
        this.login = new SessionLogin(control, services.logins());
        this.tls = new SessionTls(control, policy.tls(), services.handshakes(), audit::dataSessionNotResumed);
        this.gsi = new SessionGsi(control, login, tls.protection(), gate);
        this.dataPaths = new DataConnections(
                control,
                policy.data(),
                services.refusals(),
                settings,
                new DataProtection(control, tls, gsi),
                more -> sessions.mayTakeDataConnections(this, more));
        if (port == ListenerKind.FTPS) {
            tls.fromTheBeginning();
        }
    }

    /** The session as its control connection knows it. */
    private final class Owner implements ControlChannel.Owner {
        private final FtpSessions sessions;

        Owner(FtpSessions sessions) {
            this.sessions = sessions;
        }

        @Override
        public boolean isLoggedIn() {
            return login.isComplete();
        }

        @Override
        public FtpReply status() {
            return FtpSession.this.status();
        }

        @Override
        public void run(CommandLine line) {
            audit.begins(line);
            services.commands().run(FtpSession.this, line);
        }

        @Override
        public void replied(FtpReply reply) {
            audit.replied(reply);
        }

        @Override
        public void refusedStranger(String firstWord, String what) {
            services.audit().note("-", "connect", firstWord, control.peer(), what);
        }

        @Override
        public void left() {
            audit.left();
            gsi.left();
            dataPaths.port().close();
        }

        @Override
        public void ended() {
            dataPaths.close();
            sessions.ended(FtpSession.this);
        }

        @Override
        public Optional<Parsed> opened(Parsed line) {
            return gsi.opened(line);
        }

        @Override
        public int maxLineBytes() {
            return gsi.isLacking()
                    ? MAX_TOKEN_LINE_BYTES
                    : limits().commands().of(isLoggedIn()).maxLineBytes();
        }

        @Override
        public byte[] sealed(byte[] reply) throws GsiException {
            return gsi.sealed(reply);
        }
    }

    public ControlChannel control() {
        return control;
    }

    public NamespaceService names() {
        return services.files().names();
    }

    public UploadService uploads() {
        return services.files().uploads();
    }

    public DownloadService downloads() {
        return services.files().downloads();
    }

    public SessionPolicy policy() {
        return services.policy();
    }

    public FtpLimits limits() {
        return services.policy().limits();
    }

    /** What is in the way between this node and the files, a sentence each. */
    List<String> obstacles() {
        return services.obstacles().get();
    }

    public EventLoop loop() {
        return control.loop();
    }

    /** What STAT tells of this session. */
    public FtpReply status() {
        return SessionStatus.of(this, control.peer().getAddress(), pipeline.progress());
    }

    /** How far an upload to that path must come before its final reply. */
    public CustodyLevel custody(FtpPath path) {
        CustodyLevel own = identity().custody();
        return own != null ? own : services.policy().custody().of(path);
    }

    /** How far a transfer came, by the rule that holds here. */
    public CustodyProgress custody(TransferSnapshot state) {
        return CustodyProgress.of(state, services.policy().custody().completion());
    }

    /** The one final reply of the command that runs. */
    public void reply(FtpReply reply) {
        pipeline.reply(reply);
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
    public void marker(FtpReply reply) {
        pipeline.marker(reply);
    }

    /** A reply before the final one. */
    public void preliminary(ReplyCode code, String text) {
        pipeline.preliminary(code, text);
    }

    /** The command's final reply, after which the connection is closed. */
    public void replyAndClose(ReplyCode code, String text) {
        pipeline.replyAndClose(FtpReply.of(code, text));
    }

    public CommandTable commands() {
        return services.commands();
    }

    public boolean isLoggedIn() {
        return login.isComplete();
    }

    /** How many data connections it has in MODE E. */
    int dataConnections() {
        return dataPaths.count();
    }

    /** The account; only when logged in. */
    public String account() {
        return identity().name();
    }

    /** The account that is logged in; only when logged in. */
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

    public boolean seesNames() {
        return identity().seesNames();
    }

    /** USER: a new login begins. */
    public void user(String name) {
        login.user(name);
        reset();
    }

    private void reset() {
        settings.reset();
        workingDirectory = FtpPath.ROOT;
        dataPaths.close();
    }

    /** REIN: the login and all settings are forgotten. */
    public void reinitialize() {
        login.forget();
        clientName = "";
        reset();
    }

    /**
     * PASS. {@code checked} is called, perhaps later, with whether the password is right; then the client is logged in.
     *
     * @return false if no user was named; then there is no call
     */
    public boolean password(String password, Consumer<Boolean> checked) {
        return login.password(password, gsi.login(), account -> {
            account.ifPresent(in -> workingDirectory = in.root());
            ifOpen(() -> checked.accept(account.isPresent()));
        });
    }

    public Requester requester() {
        return new Requester(identity(), gsi::withCredential);
    }

    /**
     * AUTH: sends {@code reply} as the command's final reply and begins TLS; a login must be made anew. False, with no reply sent, if the
     * client has sent more after its command already: that came in clear.
     */
    public boolean startTls(FtpReply reply) {
        if (!tls.canStart()) {
            return false;
        }
        login.forget();
        reset();
        tls.start(reply);
        return true;
    }

    public SessionLogin login() {
        return login;
    }

    public SessionGsi gsi() {
        return gsi;
    }

    public SessionTls tls() {
        return tls;
    }

    public TlsProtection protection() {
        return tls.protection();
    }

    public TransferSettings settings() {
        return settings;
    }

    public FtpPath workingDirectory() {
        return workingDirectory;
    }

    public void workingDirectory(FtpPath path) {
        workingDirectory = path;
    }

    /** What the client has said that it is called, in lower case; empty if it has not. */
    public String clientName() {
        return clientName;
    }

    public void clientName(String name) {
        clientName = name.toLowerCase(Locale.ROOT);
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

    /** Runs {@code task}, which replies, if there still is a client. */
    public void ifOpen(Runnable task) {
        if (control.isOpen()) {
            task.run();
        }
    }

    public DataPort dataPort() {
        return dataPaths.port();
    }

    public DataConnections dataPaths() {
        return dataPaths;
    }

    /** Whether nothing more is run, and the connection ends after what is outstanding. */
    public boolean isClosing() {
        return pipeline.isClosing();
    }

    /** The command that runs is the upload with that key. */
    public void uploads(TransferKey key) {
        audit.uploads(key);
    }

    /** The command that runs has moved so much of the file at {@code path}, to the transfer with that key, or to the client if there is none. */
    public void moved(FtpPath path, @Nullable TransferKey key, long bytes) {
        audit.moved(path, key, bytes);
    }

    /** The command that runs is a transfer, which gives its final reply with {@link #transferEnds}. */
    public void transferBegins(RunningCommand begun) {
        pipeline.begins(begun);
        String delayed = settings.takeDelayedAddress();
        if (!delayed.isEmpty()) {
            preliminary(ReplyCode.DELAYED_PASSIVE, delayed);
        }
    }

    /** The command that runs waits for something that ABOR may end; {@link #waitEnds} comes before its reply. */
    public void waitBegins(RunningCommand wait) {
        pipeline.begins(wait);
    }

    /** Nothing is waited for any more; the reply follows. */
    public void waitEnds() {
        pipeline.ends();
    }

    /** The transfer is over; its reply goes out if there still is a client. */
    public void transferEnds(FtpReply reply) {
        pipeline.ends();
        ifOpen(() -> reply(reply));
    }

    /** How long the evidence of an upload's end takes on this connection: max(configured, 4 x RTT). */
    public long evidenceWindowNanos() {
        return Math.max(limits().times().evidenceWindow().toNanos(), 4 * control.roundTripNanos());
    }

    public String id() {
        return control.id();
    }
}
