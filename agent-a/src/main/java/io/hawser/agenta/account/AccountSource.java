package io.hawser.agenta.account;

import java.util.Optional;

/**
 * Looks up accounts and verifies their passwords, for example in a users file. Thread: the login thread; a check may take its
 * time.
 */
@FunctionalInterface
public interface AccountSource {
    /**
     * The account that this name and password open, if they do. How long it takes depends neither on the password nor on
     * whether there is such a name.
     */
    Optional<Account> authenticate(String name, String password);

    /** The account of that name, for a client that was authenticated otherwise. */
    default Optional<Account> named(String name) {
        return Optional.empty();
    }

    /** Why changes of the accounts are not in force; empty if they are. Thread: any. */
    default Optional<String> problem() {
        return Optional.empty();
    }
}
