package io.hawser.ops.cli;

import io.hawser.core.config.ConfigException;
import io.hawser.core.tls.KeyDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * A command that is run where the CA's key is: its first parameter is that directory.
 *
 * <p>Thread: main only.
 */
abstract class CaDirectoryCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "DIR", description = "the directory with ca.key")
    private Path directory;

    /** The CA of the directory. Throws ConfigException if there is none. */
    final KeyDirectory authority() {
        KeyDirectory authority = new KeyDirectory(directory);
        if (!Files.exists(authority.caCertificate())) {
            throw new ConfigException(
                    "there is no " + authority.caCertificate() + "; 'hawser keys init " + directory + "' makes a CA");
        }
        return authority;
    }

    /** Writes a line of the result. */
    final void print(String line) {
        spec.commandLine().getOut().println(line);
    }

    /** Writes a line for a person, apart from the result. */
    final void explain(String line) {
        spec.commandLine().getErr().println(line);
    }
}
