package io.hawser.agenta.ftp.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.ftp.command.FtpCommands;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NotedCommandsTest {
    /** They change nothing themselves: the rename is noted at RNTO. */
    private static final Set<String> WITHOUT_EFFECT = Set.of("RNFR", "ALLO");

    @Test
    void everyCommandThatChangesSomethingIsNoted() {
        CommandTable table = FtpCommands.table();
        assertThat(table.verbs()).filteredOn(verb -> changes(table, verb)).isNotEmpty();
        assertThat(SessionAudit.NOTED)
                .containsAll(table.verbs().stream()
                        .filter(verb -> changes(table, verb))
                        .toList());
    }

    private static boolean changes(CommandTable table, String verb) {
        Permission needed = table.find(verb).orElseThrow().permission();
        return (needed == Permission.WRITE || needed == Permission.DELETE) && !WITHOUT_EFFECT.contains(verb);
    }
}
