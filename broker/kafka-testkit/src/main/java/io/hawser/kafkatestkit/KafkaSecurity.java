package io.hawser.kafkatestkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/**
 * What a cluster asks of its clients: TLS, by a certificate made here, and a name with a password (SASL, PLAIN). Its nodes talk to each
 * other without.
 *
 * <p>Thread: immutable.
 */
public final class KafkaSecurity {
    private static final String PASSWORD = "of the key store";
    private static final long KEYTOOL_SECONDS = 60;

    private final Path keys;
    private final Path certificate;
    private final String user;
    private final String password;

    private KafkaSecurity(Path directory, String user, String password) {
        this.keys = directory.resolve("keys.p12");
        this.certificate = directory.resolve("certificate.pem");
        this.user = user;
        this.password = password;
    }

    /** Makes a key and its certificate in a directory, and lets this user in. */
    public static KafkaSecurity make(Path directory, String user, String password)
            throws IOException, InterruptedException {
        KafkaSecurity security = new KafkaSecurity(Files.createDirectories(directory), user, password);
        security.keytool(
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=kafka",
                "-ext",
                "SAN=ip:127.0.0.1,dns:localhost",
                "-validity",
                "30",
                "-storetype",
                "PKCS12");
        security.keytool("-exportcert", "-rfc", "-file", security.certificate.toString());
        return security;
    }

    private void keytool(String... more) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        Collections.addAll(words, more);
        Collections.addAll(words, "-alias", "kafka", "-keystore", keys.toString(), "-storepass", PASSWORD);
        Path said = keys.resolveSibling("keytool.log");
        Process keytool = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(said.toFile()))
                .start();
        if (!keytool.waitFor(KEYTOOL_SECONDS, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            keytool.destroyForcibly();
            throw new IOException("keytool failed: " + Files.readString(said));
        }
    }

    /** A node's settings for a listener that is called so. */
    void secure(Properties settings, String listener) {
        String prefix = "listener.name." + listener.toLowerCase(Locale.ROOT) + ".";
        settings.setProperty(prefix + "sasl.enabled.mechanisms", "PLAIN");
        settings.setProperty(
                prefix + "plain.sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required user_" + user + "=\"" + password
                        + "\";");
        settings.setProperty(prefix + "ssl.keystore.type", "PKCS12");
        settings.setProperty(prefix + "ssl.keystore.location", keys.toString());
        settings.setProperty(prefix + "ssl.keystore.password", PASSWORD);
    }

    /** The settings of a client that logs in. */
    public Map<String, String> clientProperties() {
        return clientProperties(user, password);
    }

    /** The same for another name or password. */
    public Map<String, String> clientProperties(String otherUser, String otherPassword) {
        return Map.of(
                "security.protocol",
                "SASL_SSL",
                "sasl.mechanism",
                "PLAIN",
                "sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"" + otherUser
                        + "\" password=\"" + otherPassword + "\";",
                "ssl.truststore.type",
                "PEM",
                "ssl.truststore.location",
                certificate.toString());
    }
}
