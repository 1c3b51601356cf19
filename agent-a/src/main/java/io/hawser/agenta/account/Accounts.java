package io.hawser.agenta.account;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The accounts that may log in: anonymous, or those of some sources.
 *
 * <p>Thread: {@link #authenticate} the login thread, the rest any.
 */
public final class Accounts {
    private final @Nullable Account anonymous;
    private final boolean anywhere;
    private final List<AccountSource> sources;

    private Accounts(@Nullable Account anonymous, boolean anywhere, List<AccountSource> sources) {
        this.anywhere = anywhere;
        this.anonymous = anonymous;
        this.sources = List.copyOf(sources);
    }

    /** Everybody on this machine, as {@code anonymous} or {@code ftp}, with any password and all permissions. */
    public static Accounts anonymous() {
        return new Accounts(Account.anonymous(Permission.all()), false, List.of());
    }

    /** Everybody, also from other machines, with some permissions. */
    public static Accounts anonymousAnywhere(Set<Permission> permissions) {
        return new Accounts(Account.anonymous(permissions), true, List.of());
    }

    /** One account, and no anonymous login. */
    public static Accounts of(String user, String password) {
        return of(new SingleAccountSource(user, password));
    }

    /** The accounts of a source, and no anonymous login. */
    public static Accounts of(AccountSource source) {
        return new Accounts(null, false, List.of(source));
    }

    /** These and another's. */
    public Accounts and(Accounts others) {
        List<AccountSource> all = new ArrayList<>(sources);
        all.addAll(others.sources);
        return new Accounts(anonymous != null ? anonymous : others.anonymous, anywhere || others.anywhere, all);
    }

    /** Whether anonymous logins are possible and not meant for other machines. */
    public boolean needLoopback() {
        return anonymous != null && !anywhere;
    }

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

    /**
     * The account of that name, for a client that was authenticated otherwise, such as by a certificate. Where there are no accounts with
     * passwords at all, the map of certificates makes the accounts. May take long.
     */
    public Optional<Account> named(String name) {
        if (sources.isEmpty()) {
            return Optional.of(Account.unlimited(name));
        }
        return sources.stream().flatMap(source -> source.named(name).stream()).findFirst();
    }

    /** Why changes of the accounts are not in force; empty if they are. */
    public Optional<String> problem() {
        return sources.stream().flatMap(source -> source.problem().stream()).findFirst();
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
