package io.hawser.agenta.account;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everybody who may log in: anonymous, or the accounts of some sources.
 *
 * <p>Thread: {@link #authenticate} the login thread, the rest any.
 */
public final class Accounts {
    private final @Nullable Account anonymous;
    private final List<AccountSource> sources;

    private Accounts(@Nullable Account anonymous, List<AccountSource> sources) {
        this.anonymous = anonymous;
        this.sources = List.copyOf(sources);
    }

    /** Everybody, as {@code anonymous} or {@code ftp}, with any password and all permissions. */
    public static Accounts anonymous() {
        return anonymous(Permission.all());
    }

    /** Everybody, with some permissions. */
    public static Accounts anonymous(Set<Permission> permissions) {
        return new Accounts(Account.anonymous(permissions), List.of());
    }

    /** One account, and no anonymous login. */
    public static Accounts of(String user, String password) {
        return of(new OneAccount(user, password));
    }

    /** The accounts of a source, and no anonymous login. */
    public static Accounts of(AccountSource source) {
        return new Accounts(null, List.of(source));
    }

    /** These and another's. */
    public Accounts and(Accounts others) {
        List<AccountSource> all = new ArrayList<>(sources);
        all.addAll(others.sources);
        return new Accounts(anonymous != null ? anonymous : others.anonymous, all);
    }

    /** Whether one can log in without an account. */
    public boolean anonymousAllowed() {
        return anonymous != null;
    }

    /** The account of somebody who logs in by that name without a password, if that is allowed. */
    public Optional<Account> withoutPassword(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.equals(Account.ANONYMOUS) || lower.equals("ftp")
                ? Optional.ofNullable(anonymous)
                : Optional.empty();
    }

    /** Whether there are accounts whose passwords must be checked. */
    public boolean havePasswords() {
        return !sources.isEmpty();
    }

    /** The account that this name and password open, if they do. May take long. */
    public Optional<Account> authenticate(String name, String password) {
        Optional<Account> found = Optional.empty();
        for (AccountSource source : sources) {
            Optional<Account> here = source.authenticate(name, password); // all are asked: time tells nothing
            found = found.isPresent() ? found : here;
        }
        return found;
    }
}
