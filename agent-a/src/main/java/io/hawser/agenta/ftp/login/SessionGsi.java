package io.hawser.agenta.ftp.login;

import io.hawser.agenta.ftp.control.CommandPipeline;
import io.hawser.agenta.ftp.control.ControlChannel;
import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.data.DataAuthentication;
import io.hawser.agenta.gsi.GsiGate;
import io.hawser.agenta.gsi.GsiLogin;
import io.hawser.core.ftp.CommandLine;
import io.hawser.core.ftp.CommandLineParser.Parsed;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.gsi.GsiException;
import io.hawser.gsi.credential.Credential;
import io.hawser.gsi.token.GsiAcceptor;
import io.hawser.store.spool.UploadRequest;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * GSI of one session (RFC 2228): the exchange of tokens, and then what each command and each line of a reply is wrapped in.
 *
 * <pre>
 *   clear ──AUTH GSSAPI──► exchanging ──ADAT, ADAT, …──► established: everything is wrapped, nothing comes in clear any more
 *     ▲                        │
 *     └──── refused (535) ─────┘
 * </pre>
 *
 * <p>Thread: the loop; the exchange's steps run on the gate's threads, one at a time, while the command that brought the token waits for
 * its reply.
 */
public final class SessionGsi {
    private static final Logger LOG = LoggerFactory.getLogger(SessionGsi.class);
    /** Of all exchanges of a session, each of which costs this server a signature. One needs six. */
    private static final int MAX_TOKENS = 16;
    /** What holds a command: private, integer and confidential mean the same within TLS. */
    private static final Set<String> WRAPPED = Set.of("ENC", "MIC", "CONF");

    private final ControlChannel control;
    private final CommandPipeline pipeline;
    private final SessionLogin clientLogin;
    private final TlsProtection protection;
    private final @Nullable GsiGate gate;
    private @Nullable GsiAcceptor acceptor;
    private boolean exchanging;
    /** A token of the exchange was taken to be checked. */
    private boolean stepBegun;

    private int tokens;
    private @Nullable GsiLogin login;
    private @Nullable DataAuthentication data;

    /** GSI that has not begun; {@code gate} is null where the session's port has none. */
    public SessionGsi(
            ControlChannel control, SessionLogin clientLogin, TlsProtection protection, @Nullable GsiGate gate) {
        this.control = control;
        this.pipeline = control.pipeline();
        this.clientLogin = clientLogin;
        this.protection = protection;
        this.gate = gate;
    }

    /** Whether this session's port lets in by GSI, and by nothing else. */
    public boolean isOffered() {
        return gate != null;
    }

    /** Whether it does, and the client has not come in. */
    public boolean isLacking() {
        return isOffered() && login == null;
    }

    /** The login by GSI; null if there is none. */
    public @Nullable GsiLogin login() {
        return login;
    }

    /** The same request, with what its user has delegated where the far end logs in as him. */
    public UploadRequest withCredential(UploadRequest request) {
        GsiLogin who = login;
        return who == null ? request : who.withCredential(request);
    }

    /** Whether there is one, so that the control connection is within it. */
    public boolean isEstablished() {
        return login != null;
    }

    /** How data connections are secured; null without a login by GSI. */
    public @Nullable DataAuthentication data() {
        return data;
    }

    /** AUTH GSSAPI, as a command that runs. */
    public void begin() {
        if (gate == null) {
            pipeline.reply(ReplyCode.ARGUMENT_NOT_IMPLEMENTED, "GSSAPI is not offered here.");
        } else if (login != null) {
            pipeline.reply(ReplyCode.BAD_SEQUENCE, "GSSAPI is in use already.");
        } else if (clientLogin.isBarred()) {
            pipeline.replyAndClose(
                    FtpReply.of(ReplyCode.NOT_AVAILABLE, "Too many failed logins from your address; try again later."));
        } else {
            left();
            acceptor = null;
            exchanging = true;
            pipeline.reply(ReplyCode.SECURITY_MORE, "Using authentication type; ADAT must follow.");
        }
    }

    /** The client leaves, or begins another exchange, before this one ended: that costs this server as much as one that fails. */
    public void left() {
        if (exchanging && stepBegun) {
            clientLogin.refusedGsi();
        }
        exchanging = false;
        stepBegun = false;
    }

    /** ADAT, as a command that runs. */
    public void token(byte[] token) {
        GsiGate open = gate;
        if (open == null || !exchanging) {
            pipeline.reply(ReplyCode.BAD_SEQUENCE, "Send AUTH GSSAPI first.");
            return;
        }
        if (++tokens > MAX_TOKENS) {
            refuse("too many tokens in one session");
            return;
        }
        try {
            open.threads().execute(() -> step(open, token));
            stepBegun = true;
        } catch (RejectedExecutionException e) {
            exchanging = false;
            pipeline.reply(ReplyCode.FILE_BUSY, "Too many logins at a time; try again later.");
        }
    }

    private void step(GsiGate open, byte[] token) {
        GsiAcceptor here = acceptor;
        try {
            GsiAcceptor stepping = here != null ? here : open.acceptor();
            byte[] reply = stepping.step(token);
            Map<String, X509Certificate> recipients = stepping.isDone() ? open.recipients() : Map.of();
            control.loop().execute(() -> stepped(open, stepping, reply, recipients));
        } catch (GsiException e) {
            control.loop().execute(() -> refuse(e.why()));
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("a login by GSI could not be checked");
            control.loop().execute(() -> refuse("an error of this server's"));
        }
    }

    private void stepped(GsiGate open, GsiAcceptor stepping, byte[] reply, Map<String, X509Certificate> recipients) {
        if (!control.isOpen()) {
            return;
        }
        acceptor = stepping;
        if (!stepping.isDone()) {
            String answer = "ADAT=" + Base64.getEncoder().encodeToString(reply);
            pipeline.reply(ReplyCode.SECURITY_DATA, answer);
        } else if (!pipeline.isNothingAhead()) {
            // What was sent ahead came in clear, perhaps from another; it must not be taken for the client's.
            refuse("something was sent in clear after the last ADAT");
        } else {
            establish(open, stepping, recipients);
        }
    }

    private void establish(GsiGate open, GsiAcceptor done, Map<String, X509Certificate> recipients) {
        try {
            GsiLogin who = new GsiLogin(done.peer().identity(), done.delegated(), recipients);
            exchanging = false;
            protection.begun(false);
            pipeline.reply(ReplyCode.SECURITY_DONE, "GSSAPI Authentication successful.");
            data = new DataAuthentication(open, who);
            login = who; // from here on replies are wrapped
            LOG.atInfo()
                    .addKeyValue("session", control.id())
                    .addKeyValue("identity", who.identity())
                    .addKeyValue(
                            "delegatedUntil",
                            who.delegated()
                                    .map(Credential::notAfter)
                                    .map(Instant::toString)
                                    .orElse("nothing delegated"))
                    .log("authenticated by GSI");
        } catch (GsiException e) {
            refuse(e.why());
        }
    }

    private void refuse(String why) {
        boolean isCounted = !exchanging; // the client had left
        exchanging = false;
        acceptor = null;
        LOG.atWarn()
                .addKeyValue("peer", control.peer())
                .addKeyValue("reason", why)
                .log("login by GSI refused");
        if (!isCounted) {
            clientLogin.refusedGsi();
        }
        if (control.isOpen()) {
            pipeline.reply(ReplyCode.SECURITY_FAILED, "Authentication failed: " + why + ".");
        }
    }

    /** What a line holds that has come; empty if it must not come so, and then the session ends. */
    public Optional<Parsed> opened(Parsed line) {
        GsiAcceptor established = acceptor;
        if (login == null || established == null || pipeline.isClosing()) {
            return Optional.of(line);
        }
        if (!(line instanceof Parsed.Command command)
                || !WRAPPED.contains(command.line().verb())) {
            pipeline.end(FtpReply.of(ReplyCode.NOT_PROTECTED, "Commands are to be sent within ENC."));
            return Optional.empty();
        }
        try {
            byte[] token = Base64.getDecoder().decode(command.line().argument().strip());
            return Optional.of(command(established.unwrap(token)));
        } catch (GsiException | IllegalArgumentException e) {
            LOG.atWarn()
                    .addKeyValue("session", control.id())
                    .addKeyValue("reason", e.getMessage())
                    .log("a wrapped command cannot be opened");
            pipeline.end(FtpReply.of(ReplyCode.SECURITY_FAILED, "What ENC holds cannot be opened."));
            return Optional.empty();
        }
    }

    /** The one command that was wrapped. Its end of line may be missing, or a NUL be after it. */
    private Parsed command(byte[] clear) throws GsiException {
        int length = clear.length;
        while (length > 0 && (clear[length - 1] == 0 || clear[length - 1] == '\n' || clear[length - 1] == '\r')) {
            length--;
        }
        if (length == 0) {
            throw new GsiException("it holds nothing");
        }
        for (int i = 0; i < length; i++) {
            if (clear[i] == '\n') {
                throw new GsiException("it holds more than one command");
            }
        }
        return new Parsed.Command(CommandLine.of(clear, length));
    }

    /** A reply as it is sent: each of its lines in a line of its own, once GSI is in force. */
    public byte[] sealed(byte[] reply) throws GsiException {
        GsiAcceptor established = acceptor;
        if (login == null || established == null) {
            return reply;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(2 * reply.length);
        int start = 0;
        while (start < reply.length) {
            int end = start;
            while (reply[end] != '\n') {
                end++;
            }
            byte[] line = Arrays.copyOfRange(reply, start, end + 1);
            start = end + 1;
            String outer = ReplyCode.CONFIDENTIAL.code() + (start < reply.length ? "-" : " ");
            out.writeBytes(outer.getBytes(StandardCharsets.US_ASCII));
            out.writeBytes(Base64.getEncoder().encode(established.wrap(line)));
            out.write('\r');
            out.write('\n');
        }
        return out.toByteArray();
    }
}
