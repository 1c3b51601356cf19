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
 * Where a far account's password stands: a file or the environment, never the command line, which others can read.
 *
 * @param file the key that names a file with it in the first line
 * @param variable the variable; no key of the same name exists, or there would be a flag
 */
record FarPassword(ConfigKey<Path> file, String variable) {
    /** The password, if there is one. Throws ConfigException with a sentence. */
    Optional<Secret> find(Config config, Map<String, String> environment) {
        String fromEnvironment = environment.get(variable);
        if (config.find(file).isPresent()) {
            return Optional.of(firstLine(config.find(file).get()));
        }
        return fromEnvironment == null || fromEnvironment.isEmpty()
                ? Optional.empty()
                : Optional.of(checked(fromEnvironment, variable));
    }

    /** The same; an anonymous account needs none. */
    Secret get(Config config, FarServer server, Map<String, String> environment) {
        Optional<Secret> found = find(config, environment);
        if (found.isPresent()) {
            return found.get();
        }
        if (server.isAnonymous()) {
            return new Secret("hawser@");
        }
        throw new ConfigException("the account \"" + server.user() + "\" needs a password: give " + file.flag()
                + " FILE, or the variable " + variable);
    }

    private Secret firstLine(Path path) {
        return checked(PrivateFiles.firstLine(file.flag(), path), file.flag() + " " + path);
    }

    private static Secret checked(String password, String place) {
        if (password.isEmpty() || password.chars().anyMatch(Character::isISOControl)) {
            throw new ConfigException(place + " has no password that FTP can carry in its first line");
        }
        return new Secret(password);
    }
}
