package io.hawser.agenta.sftp.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScpCommandTest {
    @Test
    void commandsOfClientsAreUnderstood() {
        assertThat(ScpCommand.parse("scp -t x")).contains(new ScpCommand(true, false, false, false, "x"));
        assertThat(ScpCommand.parse("scp -v -r -p -d -t -- -x")).contains(new ScpCommand(true, true, true, true, "-x"));
        assertThat(ScpCommand.parse("scp -rpf 'a b'\"c\"\\ d"))
                .contains(new ScpCommand(false, true, true, false, "a bc d"));
        assertThat(ScpCommand.parse("scp -f \"it's\"")).contains(new ScpCommand(false, false, false, false, "it's"));
    }

    @Test
    void nothingElseIs() {
        for (String line : new String[] {
            "",
            "id",
            "scp",
            "scp -t",
            "scp x",
            "scp -t -f x",
            "scp -t a b",
            "scp -X -t a",
            "/bin/sh -c scp",
            "scpx -t a"
        }) {
            assertThat(ScpCommand.parse(line)).as(line).isEmpty();
        }
    }
}
