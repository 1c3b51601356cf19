package io.hawser.agenta.http;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.account.LoginCounts;
import io.hawser.ops.audit.Audit;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The login of one request: by name and password in its {@code Authorization} header (Basic), or without one where an account for that
 * exists. A password is taken over TLS or from this machine only.
 *
 * <p>Thread: the loop.
 */
final class HttpLogin {
    private static final Logger LOG = LoggerFactory.getLogger(HttpLogin.class);
    private static final String PROTOCOL = "http";
    private static final String IN_CLEAR =
            "passwords are taken over TLS only, or from this machine; use https://, and change a password that was sent in clear";

    private final ClientRequest request;
    private final HttpServices services;
    private final Consumer<Account> loggedIn;

    /** {@code loggedIn} is called when the client is known; otherwise the response has been sent. */
    HttpLogin(ClientRequest request, Consumer<Account> loggedIn) {
        this.request = request;
        this.services = request.services();
        this.loggedIn = loggedIn;
    }

    void begin() {
        Optional<String> header = request.head().header("Authorization");
        if (header.isEmpty()) {
            withoutPassword();
            return;
        }
        Optional<BasicCredentials> credentials = BasicCredentials.parse(header.get());
        if (!keepsSecrets(request)) {
            request.refuse(403, IN_CLEAR);
        } else if (credentials.isEmpty()) {
            challenge(request, "the login here is Basic, with name and password");
        } else {
            check(credentials.get());
        }
    }

    private void withoutPassword() {
        Optional<Account> open = services.config().accounts().withoutPassword(Account.ANONYMOUS);
        if (open.isPresent()) {
            ended(LoginCounts.Outcome.OK);
            loggedIn.accept(open.get());
        } else {
            challenge(request, "log in with name and password");
        }
    }

    /** Asks for a login, where a password may be sent. */
    static void challenge(ClientRequest request, String sentence) {
        if (keepsSecrets(request)) {
            request.respond(
                    ClientRequest.text(401).with("WWW-Authenticate", "Basic realm=\"Hawser\", charset=\"UTF-8\""),
                    sentence);
        } else {
            request.refuse(403, sentence + "; " + IN_CLEAR);
        }
    }

    private static boolean keepsSecrets(ClientRequest request) {
        return request.head().isEncrypted()
                || request.head().peer().getAddress().isLoopbackAddress();
    }

    private void check(BasicCredentials credentials) {
        Optional<Account> verified = services.verified().find(credentials);
        if (verified.isPresent()) {
            loggedIn.accept(verified.get());
        } else if (isBarred()) {
            ended(LoginCounts.Outcome.BARRED);
            request.records().login(credentials.name(), "429 barred");
            request.refuse(429, "too many wrong passwords came from your address; try again later");
        } else {
            services.clients()
                    .checks()
                    .check(credentials.name(), credentials.password(), opened -> checked(credentials, opened), why -> {
                        ended(LoginCounts.Outcome.BUSY);
                        request.records().login(credentials.name(), "503 " + why);
                        request.refuse(503, why);
                    });
        }
    }

    private boolean isBarred() {
        return services.clients().guard().isBarred(request.head().peer().getAddress(), System.nanoTime());
    }

    private void checked(BasicCredentials credentials, Optional<Account> opened) {
        if (opened.isPresent()) {
            ended(LoginCounts.Outcome.OK);
            request.records().login(credentials.name(), Audit.OK);
            services.verified().add(credentials, opened.get());
            if (request.isOpen()) {
                loggedIn.accept(opened.get());
            }
            return;
        }
        ended(LoginCounts.Outcome.REFUSED);
        services.clients().guard().failed(request.head().peer().getAddress(), System.nanoTime());
        request.records().login(credentials.name(), "401 wrong name or password");
        LOG.atWarn()
                .addKeyValue("peer", request.head().peer())
                .addKeyValue("user", credentials.name())
                .log("login refused");
        request.exchange().closeAfterwards();
        var unused = request.later(
                services.config().limits().failureDelay().toNanos(),
                () -> challenge(request, "the name or the password is wrong"));
    }

    private void ended(LoginCounts.Outcome outcome) {
        services.clients().counts().ended(PROTOCOL, outcome);
    }
}
