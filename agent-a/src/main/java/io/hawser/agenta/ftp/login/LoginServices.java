package io.hawser.agenta.ftp.login;

import io.hawser.agenta.account.LoginChecks;
import io.hawser.agenta.account.LoginGuard;
import io.hawser.agenta.gsi.GsiGate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the logins of all sessions share.
 *
 * @param checks checks passwords
 * @param guard counts wrong passwords by address
 * @param crowded whether an account has too many sessions already
 * @param gate logins by GSI, or null
 */
public record LoginServices(
        LoginChecks checks,
        LoginGuard guard,
        Predicate<String> crowded,
        @Nullable GsiGate gate) {}
