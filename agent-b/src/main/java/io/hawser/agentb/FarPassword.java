package io.hawser.agentb;

import io.hawser.agentb.deliver.FarServer;
import io.hawser.agentb.deliver.Secret;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.tls.PrivateFiles;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a far account's password from a file or the environment, never from the command line, which others can read.
 *
 * @param file the key that names a file with the password in its first line
 * @param variable the environment variable; no key has this name, or there would be a flag
 */
record FarPassword(ConfigKey<Path> file, String variable) {
    private static final Secret ANONYMOUS = new Secret("hawser@");

    /** The password, if there is one. Throws ConfigException with a sentence. */
    Optional<Secret> find(Config config, Map<String, String> environment) {
        Optional<Path> path = config.find(file);
        if (path.isPresent()) {
            return Optional.of(
                    checked(PrivateFiles.firstLine(file.flag(), path.get()), file.flag() + " " + path.get()));
        }
        return Optional.ofNullable(environment.get(variable))
                .filter(text -> !text.isEmpty())
                .map(text -> checked(text, variable));
    }

    /** The password of an anonymous account. Throws ConfigException if {@code server}'s is none. */
    Secret ofAnonymous(FarServer server) {
        if (server.isAnonymous()) {
            return ANONYMOUS;
        }
        throw new ConfigException("the account \"" + server.user() + "\" needs a password: give " + sources());
    }

    /** Where it can be given, for messages. */
    String sources() {
        return file.flag() + " FILE, or the variable " + variable;
    }

    private static Secret checked(String password, String source) {
        if (password.isEmpty() || password.chars().anyMatch(Character::isISOControl)) {
            throw new ConfigException(source + " has no password that FTP can carry in its first line");
        }
        return new Secret(password);
    }
}
