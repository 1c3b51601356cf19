package io.hawser.agenta.ftp.login;

import io.hawser.agenta.front.ClientServices;
import io.hawser.agenta.gsi.GsiGate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the logins of all sessions share.
 *
 * @param clients the logins of all fronts
 * @param crowded whether an account has too many sessions already
 * @param gate logins by GSI, or null
 */
public record LoginServices(
        ClientServices clients,
        Predicate<String> crowded,
        @Nullable GsiGate gate) {}
