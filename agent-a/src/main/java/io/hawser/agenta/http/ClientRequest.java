package io.hawser.agenta.http;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.account.Permission;
import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.agenta.namespace.NamespaceService;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.agenta.namespace.Requester;
import io.hawser.core.ftp.FtpPath;
import io.hawser.ops.http.Exchange;
import io.hawser.ops.http.ExchangeListener;
import io.hawser.ops.http.RequestHead;
import io.hawser.ops.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One request of a client: who makes it, what it is about, and its response. What does the work listens as its {@link #phase}.
 *
 * <p>Thread: the loop.
 */
final class ClientRequest implements ExchangeListener {
    private static final String METHODS = "OPTIONS, GET, HEAD, PUT, DELETE, MKCOL";
    private static final String RETRY_SECONDS = "10";
    private static final int REFUSALS = 400;

    private final HttpServices services;
    private final Exchange exchange;
    private final RequestRecords records;
    private ExchangeListener phase = ExchangeListener.NONE;
    private @Nullable Account account;
    private @Nullable FtpPath path;
    private boolean namesDirectory;
    private boolean counted;
    private boolean responded;
    private boolean gone;

    ClientRequest(HttpServices services, Exchange exchange) {
        this.services = services;
        this.exchange = exchange;
        this.records = new RequestRecords(this);
    }

    void begin() {
        exchange.listener(this);
        RequestTarget target;
        try {
            if (head().method().equals("OPTIONS")) {
                respond(ResponseHead.of(204).with("Allow", METHODS), "");
                return;
            }
            target = RequestTarget.parse(head().target());
        } catch (RequestTarget.MalformedTargetException e) {
            refuse(400, e.why());
            return;
        }
        records.object(target.path());
        Optional<String> foreign =
                BrowserGuard.refusal(head(), services.config().accounts().needLoopback());
        if (!isMethodKnown()) {
            respond(text(405).with("Allow", METHODS), "the methods here are " + METHODS);
        } else if (foreign.isPresent()) {
            refuse(403, foreign.get());
        } else if (isChange() && target.hasQuery()) {
            refuse(400, "a name is followed by no query; in a name ? is written %3F");
        } else {
            new HttpLogin(this, opened -> loggedIn(opened, target)).begin();
        }
    }

    private boolean isMethodKnown() {
        return switch (head().method()) {
            case "GET", "HEAD", "PUT", "DELETE", "MKCOL" -> true;
            default -> false;
        };
    }

    /** Whether it changes something. */
    boolean isChange() {
        return BrowserGuard.isChange(head().method());
    }

    private void loggedIn(Account opened, RequestTarget target) {
        account = opened;
        if (!services.running().begin(opened.name())) {
            refuse(503, "too many requests of this account");
            return;
        }
        counted = true;
        exchange.admit();
        FtpPath resolved;
        try {
            resolved = opened.root().resolve(target.path());
        } catch (FtpPath.BadNameException e) {
            refuse(isChange() ? 409 : 404, e.why());
            return;
        }
        path = resolved;
        namesDirectory = target.path().endsWith("/") || resolved.isRoot();
        records.object(resolved.toString());
        switch (head().method()) {
            case "PUT" -> new UploadStart(this).begin();
            case "DELETE" -> NameDeletion.begin(this);
            case "MKCOL" -> DirectoryCreation.begin(this);
            default -> {
                if (namesDirectory) {
                    new DirectoryRequest(this).begin();
                } else {
                    new FileRequest(this).begin();
                }
            }
        }
    }

    HttpServices services() {
        return services;
    }

    NamespaceService names() {
        return services.files().names();
    }

    Exchange exchange() {
        return exchange;
    }

    RequestHead head() {
        return exchange.head();
    }

    RequestRecords records() {
        return records;
    }

    /** The account; only when logged in. */
    Account account() {
        return account(account);
    }

    private static Account account(@Nullable Account known) {
        if (known == null) {
            throw new IllegalStateException("not logged in");
        }
        return known;
    }

    /** The name of the account, or {@code -} while nobody is logged in. */
    String who() {
        Account known = account;
        return known == null ? "-" : known.name();
    }

    /** The path; only when logged in. */
    FtpPath path() {
        FtpPath known = path;
        if (known == null) {
            throw new IllegalStateException("not resolved");
        }
        return known;
    }

    /** Whether the target ends with a slash. */
    boolean namesDirectory() {
        return namesDirectory;
    }

    boolean isHead() {
        return head().method().equals("HEAD");
    }

    Requester requester() {
        return new Requester(account(), UnaryOperator.identity());
    }

    /** How far an upload to the path must come before its response. */
    CustodyLevel custody() {
        CustodyLevel own = account().custody();
        return own != null ? own : services.config().custody().of(path());
    }

    /** Whether the account may do that; if not, the refusal has been sent. A client without a login is asked for one. */
    boolean require(Permission permission) {
        if (account().may(permission)) {
            return true;
        }
        if (head().header("Authorization").isEmpty()
                && services.config().accounts().havePasswords()) {
            HttpLogin.challenge(this, RequestFailure.PERMISSION_DENIED + " without a login");
        } else {
            refuse(403, RequestFailure.PERMISSION_DENIED);
        }
        return false;
    }

    /** {@code next} hears from now on what happens to the exchange. */
    void phase(ExchangeListener next) {
        phase = next;
    }

    /** Whether a response can still be sent. */
    boolean isOpen() {
        return !responded && !gone;
    }

    ScheduledFuture<?> later(long nanos, Runnable task) {
        return services.loop().schedule(task, nanos, TimeUnit.NANOSECONDS);
    }

    static ResponseHead text(int status) {
        return new ResponseHead(
                status, Map.of("Content-Type", "text/plain; charset=utf-8", "X-Content-Type-Options", "nosniff"));
    }

    /** Refuses the request with a sentence. */
    void refuse(int status, String sentence) {
        ResponseHead refusal = text(status);
        respond(status == 503 || status == 429 ? refusal.with("Retry-After", RETRY_SECONDS) : refusal, sentence);
    }

    void refuse(RequestFailure failure) {
        refuse(FailureStatus.of(failure.reason()), failure.words());
    }

    /** The whole response; of several only the first is sent. */
    void respond(ResponseHead head, String sentence) {
        if (!isOpen()) {
            return;
        }
        responded = true;
        records.responded(head.status() >= REFUSALS ? head.status() + " " + sentence : "");
        leave();
        exchange.respond(head, sentence.isEmpty() ? new byte[0] : (sentence + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Begins a response whose body the phase sends; false if there is none to be sent any more. */
    boolean beginResponse(ResponseHead head, long lengthBytes) {
        if (!isOpen()) {
            return false;
        }
        responded = true;
        exchange.begin(head, lengthBytes);
        return true;
    }

    private void leave() {
        if (counted) {
            counted = false;
            services.running().end(account().name());
        }
    }

    @Override
    public void onBody(ByteBuf piece) {
        phase.onBody(piece);
    }

    @Override
    public void onBodyEnd() {
        phase.onBodyEnd();
    }

    @Override
    public void onBodyBroken(String why) {
        phase.onBodyBroken(why);
    }

    @Override
    public void onWritable() {
        phase.onWritable();
    }

    @Override
    public void onProgress() {
        phase.onProgress();
    }

    @Override
    public void onSent() {
        phase.onSent();
        leave();
    }

    @Override
    public void onGone() {
        gone = true;
        phase.onGone();
        if (!responded) {
            records.responded("the client was gone before the response");
        }
        leave();
    }

    @Override
    public void onStop() {
        exchange.closeAfterwards();
        phase.onStop();
        if (!responded) {
            refuse(503, "this server is stopping");
        }
    }
}
