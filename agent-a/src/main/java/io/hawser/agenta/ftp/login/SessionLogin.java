package io.hawser.agenta.ftp.login;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.ftp.control.ControlChannel;
import io.hawser.agenta.gsi.GsiGate;
import io.hawser.agenta.gsi.GsiLogin;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The login of a session: how far it got, and how often a password was wrong.
 *
 * <p>Thread: the loop.
 */
public final class SessionLogin {
    private static final Logger LOG = LoggerFactory.getLogger(SessionLogin.class);

    /** How grid programs ask for the account that their certificate is mapped to. */
    private static final String DEFAULT_ACCOUNT = ":globus-mapping:";

    private final LoginServices services;
    private final ControlChannel control;
    private LoginState state = new LoginState.Greeted();
    private int failures;
    private boolean crowded;
    private String asked = "-";

    public SessionLogin(ControlChannel control, LoginServices services) {
        this.services = services;
        this.control = control;
    }

    /** Whether the client is logged in. */
    public boolean isComplete() {
        return state instanceof LoginState.LoggedIn;
    }

    /** The account that is logged in; {@link IllegalStateException} if none is. */
    public Account account() {
        if (state instanceof LoginState.LoggedIn in) {
            return in.account();
        }
        throw new IllegalStateException("not logged in");
    }

    /** USER: a new login begins. */
    public void user(String name) {
        asked = name.isEmpty() ? "-" : name;
        state = state.user(name);
        control.loginChanged();
    }

    /**
     * PASS. {@code checked} is called, perhaps later, with the account if the password is right; then the client is logged in.
     *
     * @param gsi the login by GSI, whose password does not matter, or null
     * @return false if no user was named; then there is no call
     */
    public boolean password(String password, @Nullable GsiLogin gsi, Consumer<Optional<Account>> checked) {
        if (!(state instanceof LoginState.Named named)) {
            return false;
        }
        Consumer<Optional<Account>> decided = opened -> {
            crowded = opened.isPresent() && services.crowded().test(opened.get().name());
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
            String wanted = named.user().equals(DEFAULT_ACCOUNT) ? "" : named.user();
            GsiGate gate = Objects.requireNonNull(services.gate());
            services.checks().mapped(() -> gate.account(gsi.identity(), wanted), decided);
        } else {
            services.checks().check(named.user(), password, decided);
        }
        return true;
    }

    /** An exchange of GSI tokens failed. */
    void refusedGsi() {
        services.guard().failed(control.peer().getAddress(), System.nanoTime());
    }

    private void refused(String user, @Nullable GsiLogin gsi) {
        if (gsi == null) { // a certificate that is known and not mapped is no guess
            failures++;
            services.guard().failed(control.peer().getAddress(), System.nanoTime());
        }
        LOG.atWarn()
                .addKeyValue("identity", gsi == null ? "" : gsi.identity())
                .addKeyValue("peer", control.peer())
                .addKeyValue("user", user)
                .log("login refused");
    }

    /** What was last said with USER; {@code -} if nothing was. */
    public String asked() {
        return asked;
    }

    /** AUTH, REIN: the client must log in anew. */
    public void forget() {
        state = new LoginState.Greeted();
        control.loginChanged();
    }

    /** Whether so many wrong passwords came from the client's address that no further one is looked at for a while. */
    public boolean isBarred() {
        return services.guard().isBarred(control.peer().getAddress(), System.nanoTime());
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
