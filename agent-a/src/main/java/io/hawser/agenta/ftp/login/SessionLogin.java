package io.hawser.agenta.ftp.login;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.account.LoginCounts;
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
    /** The user that USER named, until PASS is decided. */
    private @Nullable String named;

    private @Nullable Account account;
    private int failures;
    private String notNow = "";
    private String asked = "-";

    public SessionLogin(ControlChannel control, LoginServices services) {
        this.services = services;
        this.control = control;
    }

    public boolean isComplete() {
        return account != null;
    }

    /** The account that is logged in; {@link IllegalStateException} if none is. */
    public Account account() {
        if (account == null) {
            throw new IllegalStateException("not logged in");
        }
        return account;
    }

    /** USER: a new login begins. */
    public void user(String name) {
        asked = name.isEmpty() ? "-" : name;
        named = name;
        account = null;
        control.loginChanged();
    }

    /**
     * PASS. {@code checked} is called, perhaps later, with the account if the password is right; then the client is logged in.
     *
     * @param gsi the login by GSI, whose password does not matter, or null
     * @return false if no user was named; then there is no call
     */
    public boolean password(String password, @Nullable GsiLogin gsi, Consumer<Optional<Account>> checked) {
        String user = named;
        if (user == null) {
            return false;
        }
        Consumer<Optional<Account>> decided = opened -> {
            boolean crowded =
                    opened.isPresent() && services.crowded().test(opened.get().name());
            Optional<Account> accepted = crowded ? Optional.empty() : opened;
            named = null;
            account = accepted.orElse(null);
            if (crowded) {
                ended(gsi, LoginCounts.Outcome.BUSY);
                notNow = "Too many connections of this account";
                LOG.atWarn()
                        .addKeyValue("peer", control.peer())
                        .addKeyValue("account", user)
                        .log("login refused: too many connections of the account");
            } else if (accepted.isPresent()) {
                ended(gsi, LoginCounts.Outcome.OK);
                LOG.atInfo()
                        .addKeyValue("session", control.id())
                        .addKeyValue("account", accepted.get().name())
                        .log("logged in");
            } else {
                ended(gsi, LoginCounts.Outcome.REFUSED);
                refused(user, gsi);
            }
            control.loginChanged();
            checked.accept(accepted);
        };
        Consumer<String> unchecked = why -> {
            ended(gsi, LoginCounts.Outcome.BUSY);
            notNow = why;
            checked.accept(Optional.empty());
        };
        if (gsi != null) {
            String wanted = user.equals(DEFAULT_ACCOUNT) ? "" : user;
            GsiGate gate = Objects.requireNonNull(services.gate());
            services.clients().checks().mapped(() -> gate.account(gsi.identity(), wanted), decided, unchecked);
        } else {
            services.clients().checks().check(user, password, decided, unchecked);
        }
        return true;
    }

    private void ended(@Nullable GsiLogin gsi, LoginCounts.Outcome outcome) {
        services.clients().counts().ended(gsi == null ? "ftp" : "gridftp", outcome);
    }

    /** PASS is not looked at, since the client's address is barred. */
    public void refusedBarred() {
        ended(null, LoginCounts.Outcome.BARRED);
    }

    /** An exchange of GSI tokens failed. */
    void refusedGsi() {
        services.clients().counts().ended("gridftp", LoginCounts.Outcome.REFUSED);
        services.clients().guard().failed(control.peer().getAddress(), System.nanoTime());
    }

    private void refused(String user, @Nullable GsiLogin gsi) {
        if (gsi == null) { // a certificate that is known and not mapped is no guess
            failures++;
            services.clients().guard().failed(control.peer().getAddress(), System.nanoTime());
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
        named = null;
        account = null;
        control.loginChanged();
    }

    /** Whether so many wrong passwords came from the client's address that no further one is looked at for a while. */
    public boolean isBarred() {
        return services.clients().guard().isBarred(control.peer().getAddress(), System.nanoTime());
    }

    /** Why no password is looked at, or a right one does not help, for now; empty if that is not so. */
    public String notNow() {
        return notNow;
    }

    /** How often a wrong password came in this session. */
    public int failures() {
        return failures;
    }
}
