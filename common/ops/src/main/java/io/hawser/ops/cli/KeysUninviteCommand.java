package io.hawser.ops.cli;

import io.hawser.ops.keys.Invitations;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code hawser keys uninvite}. */
@Command(
        name = "uninvite",
        description = "Withdraws an invitation that has not been used.",
        footer = {"", "Example:  hawser keys uninvite ./keys 7f3a09c1"})
final class KeysUninviteCommand extends CaDirectoryCommand {
    @Parameters(
            index = "1",
            paramLabel = "ID",
            description = "the first part of its token, as 'hawser keys list' shows it")
    private String id;

    @Override
    public Integer call() throws Exception {
        new Invitations(authority()).withdraw(id);
        print("invitation " + id + " is taken back");
        return ExitCode.OK.code();
    }
}
