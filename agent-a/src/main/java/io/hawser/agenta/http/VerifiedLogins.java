package io.hawser.agenta.http;

import io.hawser.agenta.account.Account;
import io.hawser.core.collection.EvictingMap;
import io.hawser.core.integrity.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The logins that were checked a moment ago: HTTP sends name and password with each request, and the check of a password is slow by design.
 * A change of an account holds for them after {@value #SECONDS} seconds.
 *
 * <p>Keeps no password, only a hash with a salt of this process. Bounded. Thread: the loop.
 */
final class VerifiedLogins {
    static final long SECONDS = 10;

    private static final int MAX = 1024;
    private static final int SALT_BYTES = 16;

    private final LongSupplier nanoClock;
    private final String salt;
    private final Map<String, Verified> logins = EvictingMap.leastRecentlyUsed(MAX);

    private record Verified(Account account, long atNanos) {}

    VerifiedLogins(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        byte[] random = new byte[SALT_BYTES];
        new SecureRandom().nextBytes(random);
        this.salt = HexFormat.of().formatHex(random);
    }

    Optional<Account> find(BasicCredentials credentials) {
        Verified known = logins.get(key(credentials));
        return known == null || nanoClock.getAsLong() - known.atNanos > TimeUnit.SECONDS.toNanos(SECONDS)
                ? Optional.empty()
                : Optional.of(known.account);
    }

    void add(BasicCredentials credentials, Account account) {
        logins.put(key(credentials), new Verified(account, nanoClock.getAsLong()));
    }

    private String key(BasicCredentials credentials) {
        String text = salt + credentials.name() + ":" + credentials.password();
        return HexFormat.of().formatHex(Sha256.of(text.getBytes(StandardCharsets.UTF_8)));
    }
}
