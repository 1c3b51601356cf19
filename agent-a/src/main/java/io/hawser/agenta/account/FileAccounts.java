package io.hawser.agenta.account;

import io.hawser.core.config.ConfigException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The accounts of a users file. The file is looked at with each login and read again when it has changed; one that cannot be read
 * leaves everything as it was, and the log and {@link #problem} say so. Sessions that are logged in continue as they are.
 *
 * <p>A client that opens many sessions with its right password waits for the slow hash once: of a password that was right a keyed
 * digest is remembered, whose key never leaves this process. Wrong passwords, and names that do not exist, always take the slow
 * way.
 *
 * <p>Thread: the login thread.
 */
public final class FileAccounts implements AccountSource {
    private static final Logger LOG = LoggerFactory.getLogger(FileAccounts.class);
    private static final int KEY_BYTES = 32;
    private static final String KEPT = "; the previous accounts stay in force";

    private final UsersFile file;
    private final PasswordHash nobodys;
    private final SecretKeySpec key;
    private final Map<String, byte[]> rightBefore = new HashMap<>();
    private Map<String, UserEntry> users;
    private UsersFile.@Nullable Version read;
    private volatile @Nullable String gone;
    private volatile @Nullable String unusable;

    /** Reads the file. Throws {@link ConfigException} if it cannot be used. */
    public FileAccounts(Path path) {
        this(path, PasswordHash.ITERATIONS);
    }

    FileAccounts(Path path, int iterations) {
        this.file = new UsersFile(path);
        this.users = file.read();
        this.read = version();
        this.nobodys = PasswordHash.of("", iterations);
        byte[] random = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(random);
        this.key = new SecretKeySpec(random, "HmacSHA256");
    }

    @Override
    public Optional<Account> authenticate(String name, String password) {
        readAgainIfChanged();
        UserEntry user = users.get(name);
        if (user == null) {
            boolean unused = nobodys.matches(password); // so that the time does not tell that there is no such user
            return Optional.empty();
        }
        byte[] digest = digest(user, password);
        byte[] before = rightBefore.get(name);
        if (before != null && MessageDigest.isEqual(before, digest)) {
            return Optional.of(user.account());
        }
        if (!user.password().matches(password)) {
            return Optional.empty();
        }
        rightBefore.put(name, digest);
        return Optional.of(user.account());
    }

    @Override
    public Optional<Account> named(String name) {
        readAgainIfChanged();
        return Optional.ofNullable(users.get(name)).map(UserEntry::account);
    }

    @Override
    public Optional<String> problem() {
        String missing = gone;
        return Optional.ofNullable(missing != null ? missing : unusable);
    }

    private byte[] digest(UserEntry user, String password) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            mac.update(user.password().toString().getBytes(StandardCharsets.UTF_8));
            return mac.doFinal(password.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HMAC-SHA-256", e);
        }
    }

    private void readAgainIfChanged() {
        UsersFile.Version now = version();
        if (now == null) {
            return;
        }
        gone = null;
        if (now.equals(read)) {
            return;
        }
        read = now;
        try {
            users = file.read();
            unusable = null;
            rightBefore.keySet().retainAll(users.keySet());
            LOG.atInfo().addKeyValue("users", users.size()).log("the users file has changed and was read");
        } catch (ConfigException e) {
            unusable = e.getMessage() + KEPT;
            LOG.atError().addKeyValue("reason", e.getMessage()).log("the users file has changed and cannot be used");
        }
    }

    private UsersFile.@Nullable Version version() {
        try {
            return file.version();
        } catch (IOException e) {
            gone = "cannot read " + e.getMessage() + KEPT;
            LOG.atError().addKeyValue("reason", e.getMessage()).log("the users file is gone");
            return null;
        }
    }
}
