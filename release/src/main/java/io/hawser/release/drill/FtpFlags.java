package io.hawser.release.drill;

import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.HostPort;
import io.hawser.core.tls.PrivateFiles;
import io.hawser.release.process.FtpAccount;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Makes the FTP account out of its flags. Thread: any. */
final class FtpFlags {
    /** Where a password may stand; never on the command line, which others can read. */
    static final String PASSWORD_VARIABLE = "HAWSER_DRILL_PASSWORD";

    private static final String ANONYMOUS = "anonymous";

    private FtpFlags() {}

    /** Throws ConfigException with a sentence. */
    static FtpAccount account(HostPort address, Config config, Map<String, String> environment) {
        String directory = config.get(DrillKeys.FTP_DIR);
        if (!directory.startsWith("/") || directory.chars().anyMatch(Character::isISOControl)) {
            throw new ConfigException("--ftp-dir is a path from the root, such as /site-b, not '" + directory + "'");
        }
        return new FtpAccount(
                address,
                config.get(DrillKeys.USER),
                password(config, environment),
                directory.endsWith("/") ? directory : directory + "/",
                config.find(DrillKeys.FTP_TLS).map(FtpFlags::trust).orElse(null));
    }

    private static String password(Config config, Map<String, String> environment) {
        String password = config.find(DrillKeys.PASSWORD_FILE)
                .map(file -> PrivateFiles.firstLine(DrillKeys.PASSWORD_FILE.flag(), file))
                .orElse(environment.getOrDefault(PASSWORD_VARIABLE, ""));
        String user = config.get(DrillKeys.USER);
        if (password.isEmpty() && !user.equals(ANONYMOUS)) {
            throw new ConfigException("the account \"" + user
                    + "\" needs a password: give --password-file FILE, or the variable " + PASSWORD_VARIABLE);
        }
        if ((password + user).chars().anyMatch(Character::isISOControl)) {
            throw new ConfigException("an account's name and password have no control characters");
        }
        return password.isEmpty() ? "drill@hawser" : password;
    }

    private static SSLContext trust(String text) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(text.equals("system") ? null : certificates(Path.of(text)));
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new ConfigException("--ftp-tls " + text + ": there are no certificates to trust: " + e.getMessage());
        }
    }

    private static @Nullable KeyStore certificates(Path file) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream in = Files.newInputStream(file)) {
            int number = 0;
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("ca-" + number++, each);
            }
            if (number == 0) {
                throw new IOException("the file has none");
            }
        }
        return store;
    }
}
