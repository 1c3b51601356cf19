package io.hawser.agenta.account;

import io.hawser.core.integrity.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;

/** Checks logins against the one account of {@code --user} and {@code --password-file}. Thread: immutable. */
final class SingleAccountSource implements AccountSource {
    private final String user;
    private final byte[] passwordDigest;

    SingleAccountSource(String user, String password) {
        if (user.isBlank() || password.isEmpty()) {
            throw new IllegalArgumentException("an FTP account needs a user name and a password that is not empty");
        }
        this.user = user;
        this.passwordDigest = sha256(password);
    }

    @Override
    public Optional<Account> authenticate(String name, String password) {
        boolean passwordRight = MessageDigest.isEqual(passwordDigest, sha256(password));
        boolean userRight = MessageDigest.isEqual(sha256(user), sha256(name));
        // Both have been compared by now, whichever was wrong.
        return passwordRight && userRight ? Optional.of(Account.unlimited(user)) : Optional.empty();
    }

    @Override
    public Optional<Account> named(String name) {
        return name.equals(user) ? Optional.of(Account.unlimited(user)) : Optional.empty();
    }

    private static byte[] sha256(String text) {
        return Sha256.of(text.getBytes(StandardCharsets.UTF_8));
    }
}
