package io.hawser.release.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.ops.cli.Hawser;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused before anything is started or touched. */
class DrillArgumentsTest {
    private static String refused(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] all = Stream.concat(Stream.of("drill"), Stream.of(arguments)).toArray(String[]::new);
        int code = Hawser.run(List.of(new DrillCommand()), Map.of(), new PrintWriter(out), new PrintWriter(err), all);
        assertThat(code).as(err.toString()).isEqualTo(2);
        assertThat(out.toString()).isEmpty();
        return err.toString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--kill boker | --kill: 'boker' is not one of agent-a, broker, agent-b, nor is it all or none",
                "--kill broker, | --kill: '' is not one of",
                "--kill none --times 3 | --times counts faults, and none were chosen",
                "--ftp h:1 --times 3 | --times counts faults, and none were chosen",
                "--pid broker=1 | --pid: this is about a deployment that runs; say which one with --ftp",
                "--into-dir /tmp | --into-dir: this is about a deployment that runs",
                "--broker h:1 | --broker alone shows nothing of what arrives",
                "--ftp h:1 --pid 1234 | --pid: '1234' is not NODE=VALUE",
                "--ftp h:1 --pid broker= | --pid: 'broker=' is not NODE=VALUE",
                "--ftp h:1 --pid broker=1 | --pid broker: neither --kill nor --pause names it",
                "--ftp h:1 --restart broker=true | --restart broker: --kill does not name it",
                "--ftp h:1 --admin broker=x | --admin: 'x' is not HOST:PORT",
                "--ftp h:1 --ftp-dir up | --ftp-dir is a path from the root",
                "--ftp h:1 --user anna | the account \"anna\" needs a password",
                "--broker h:1 --into-dir /tmp --topic a/b | --topic:",
                "--dir /dev/null/x | --dir /dev/null/x: ",
            })
    void whatMakesNoSenseIsRefusedWithAReason(String arguments, String reason) {
        assertThat(refused(arguments.split(" "))).startsWith("hawser: ").contains(reason);
    }

    @Test
    void aNodeThatNobodyPointedAtIsNotKilled() {
        assertThat(refused("--ftp", "127.0.0.1:1", "--kill", "broker"))
                .contains(
                        "--kill broker: the drill did not start that broker and does nothing to it unless it is pointed"
                                + " at: give --pid broker=PID (a number, or a command that prints it) or --kill-command"
                                + " broker=COMMAND",
                        "--kill broker: give --restart broker=COMMAND, which starts it again");
        assertThat(refused("--ftp", "127.0.0.1:1", "--pause", "agent-b"))
                .contains("--pause agent-b: the drill did not start that agent-b");
    }

    @Test
    void onePidIsGoodForOneKill() {
        String[] twice = {
            "--ftp", "127.0.0.1:1", "--kill", "broker", "--pid", "broker=7", "--restart", "broker=true", "--times", "2"
        };
        assertThat(refused(twice)).contains("--pid broker=7 is one process, which can be killed once");
    }
}
