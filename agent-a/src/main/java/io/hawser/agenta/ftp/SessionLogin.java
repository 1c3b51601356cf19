package io.hawser.agenta.ftp;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.gsi.GsiLogin;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who a session's client is: how far its login got, and how often a password was wrong.
 *
 * <p>Thread: the loop.
 */
public final class SessionLogin {
    private static final Logger LOG = LoggerFactory.getLogger(SessionLogin.class);

    /** How grid programs ask for the account that their certificate is mapped to. */
    private static final String DEFAULT_ACCOUNT = ":globus-mapping:";

    private final FtpServer server;
    private final ControlChannel control;
    private LoginState state = new LoginState.Greeted();
    private int failures;
    private boolean crowded;
    private String asked = "-";

    SessionLogin(FtpServer server, ControlChannel control) {
        this.server = server;
        this.control = control;
    }

    /** Whether somebody is logged in. */
    boolean isComplete() {
        return state instanceof LoginState.LoggedIn;
    }

    /** Who is logged in, with what it may do; {@link IllegalStateException} if nobody is. */
    Account account() {
        if (state instanceof LoginState.LoggedIn in) {
            return in.account();
        }
        throw new IllegalStateException("not logged in");
    }

    /** USER: a new login begins. */
    void user(String name) {
        asked = name.isEmpty() ? "-" : name;
        state = state.user(name);
        control.loginChanged();
    }

    /**
     * PASS. {@code checked} is called, perhaps later, with the account if the password is right; then somebody is logged in.
     *
     * @param gsi who has come in by GSI, whose password does not matter; null if nobody has
     * @return false if no user was named; then there is no call
     */
    boolean password(String password, @Nullable GsiLogin gsi, Consumer<Optional<Account>> checked) {
        if (!(state instanceof LoginState.Named named)) {
            return false;
        }
        Consumer<Optional<Account>> decided = opened -> {
            crowded = opened.isPresent()
                    && server.sessions().isCrowded(opened.get().name());
            Optional<Account> account = crowded ? Optional.empty() : opened;
            state = account.map(named::accepted).orElseGet(named::refused);
            if (crowded) {
                LOG.atWarn()
                        .addKeyValue("peer", control.peer())
                        .addKeyValue("account", named.user())
                        .log("login refused: too many connections of the account");
            } else if (account.isPresent()) {
                LOG.atInfo()
                        .addKeyValue("session", control.id())
                        .addKeyValue("account", account.get().name())
                        .log("logged in");
            } else {
                refused(named.user(), gsi);
            }
            control.loginChanged();
            checked.accept(account);
        };
        if (gsi != null) {
            server.logins().mapped(gsi.identity(), named.user().equals(DEFAULT_ACCOUNT) ? "" : named.user(), decided);
        } else {
            server.logins().check(named.user(), password, decided);
        }
        return true;
    }

    private void refused(String user, @Nullable GsiLogin gsi) {
        if (gsi == null) { // who is known and not mapped is not guessing
            failures++;
            server.guard().failed(control.peer().getAddress(), System.nanoTime());
        }
        LOG.atWarn()
                .addKeyValue("identity", gsi == null ? "" : gsi.identity())
                .addKeyValue("peer", control.peer())
                .addKeyValue("user", user)
                .log("login refused");
    }

    /** What was last said with USER; {@code -} if nothing was. */
    String asked() {
        return asked;
    }

    /** AUTH, REIN: whoever was logged in must do so anew. */
    void forget() {
        state = new LoginState.Greeted();
        control.loginChanged();
    }

    /** Whether so many wrong passwords came from the client's address that no further one is looked at for a while. */
    public boolean isBarred() {
        return server.guard().isBarred(control.peer().getAddress(), System.nanoTime());
    }

    /** Whether the last password was right, and the account has too many connections already. */
    public boolean isCrowded() {
        return crowded;
    }

    /** How often a wrong password came in this session. */
    public int failures() {
        return failures;
    }
}
