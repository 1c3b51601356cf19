package io.hawser.common.cli;

import io.hawser.common.tls.Invitations;
import io.hawser.common.tls.KeyDirectory;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code hawser keys uninvite}.
 *
 * <p>Thread: main only.
 */
@Command(
        name = "uninvite",
        description = "Takes back an invitation that nobody has used yet.",
        footer = {"", "Example:  hawser keys uninvite ./keys 7f3a09c1"})
final class KeysUninviteCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "DIR", description = "the directory with ca.key")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path directory;

    @Parameters(
            index = "1",
            paramLabel = "ID",
            description = "the first part of its token, as 'hawser keys list' shows it")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String id;

    @Override
    public Integer call() throws Exception {
        new Invitations(new KeyDirectory(directory)).withdraw(id);
        spec.commandLine().getOut().println("invitation " + id + " is taken back");
        return ExitCode.OK.code();
    }
}
