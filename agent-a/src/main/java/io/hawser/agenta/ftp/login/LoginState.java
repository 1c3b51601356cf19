package io.hawser.agenta.ftp.login;

import io.hawser.agenta.account.Account;

/**
 * How far a session's login got.
 *
 * <pre>
 *   Greeted ──USER──► Named ──PASS, right──► LoggedIn
 *      ▲               │ ▲                      │
 *      └──PASS, wrong──┘ └────────USER──────────┘
 * </pre>
 */
public sealed interface LoginState {
    /** No user is named. */
    record Greeted() implements LoginState {}

    /** A user's name is there, the password is not. */
    record Named(String user) implements LoginState {
        LoginState accepted(Account account) {
            return new LoggedIn(account);
        }

        LoginState refused() {
            return new Greeted();
        }
    }

    /** Logged in as that account. */
    record LoggedIn(Account account) implements LoginState {}

    /** USER may come at any time and begins a new login (RFC 959 section 4.1.1). */
    default LoginState user(String name) {
        return new Named(name);
    }
}
