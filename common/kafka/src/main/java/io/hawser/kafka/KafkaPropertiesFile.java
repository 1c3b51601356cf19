package io.hawser.kafka;

import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.tls.PrivateFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A file of properties for Kafka's clients. One with a password in it is a secret.
 *
 * <p>Thread: any; blocks.
 */
public final class KafkaPropertiesFile {
    private static final Pattern SECRET = Pattern.compile("sasl\\.jaas\\.config|.*password|ssl\\.keystore\\.key");

    private KafkaPropertiesFile() {}

    /**
     * Reads it.
     *
     * @param flag the flag that names it, for messages
     * @throws ConfigException if it cannot be read, or holds a secret and others may read it
     */
    public static Map<String, String> read(String flag, Path file) {
        Map<String, String> properties = Config.readFile(file);
        if (properties.keySet().stream().anyMatch(SECRET.asMatchPredicate())) {
            try {
                PrivateFiles.refuseShared(file);
            } catch (IOException e) {
                throw new ConfigException(flag + " " + file + " cannot be read: " + e.getMessage());
            }
        }
        return properties;
    }
}
