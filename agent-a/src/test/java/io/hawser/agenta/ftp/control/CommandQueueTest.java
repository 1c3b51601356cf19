package io.hawser.agenta.ftp.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.ftp.CommandLine;
import io.hawser.core.ftp.CommandLineParser.Parsed;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommandQueueTest {
    private static final FtpLimits.Ahead LIMITS = new FtpLimits.Ahead(1000, 2, 100);

    private final List<String> run = new ArrayList<>();
    private boolean repliesAreRead = true;
    private final CommandQueue queue =
            new CommandQueue(() -> LIMITS, () -> repliesAreRead, parsed -> run.add(verb(parsed)));

    private static Parsed command(String verb) {
        return command(verb, 0);
    }

    private static Parsed command(String verb, int argumentLength) {
        return new Parsed.Command(new CommandLine(verb, "x".repeat(argumentLength)));
    }

    private static String verb(Parsed parsed) {
        return ((Parsed.Command) parsed).line().verb();
    }

    @Test
    void aCommandWaitsForTheReplyOfTheOneBeforeIt() {
        queue.add(command("PWD"));
        queue.add(command("NOOP"));

        queue.pump();
        queue.pump();
        assertThat(run).containsExactly("PWD");
        assertThat(queue.isRunning()).isTrue();

        queue.replied();
        queue.pump();
        assertThat(run).containsExactly("PWD", "NOOP");
    }

    @Test
    void nothingRunsWhileRepliesAreNotRead() {
        repliesAreRead = false;
        queue.add(command("PWD"));
        queue.pump();
        assertThat(run).isEmpty();

        repliesAreRead = true;
        queue.pump();
        assertThat(run).containsExactly("PWD");
    }

    @Test
    void oneCommandMayGoAheadOfAFullQueueAndNoMore() {
        assertThat(queue.add(command("PWD"))).isTrue();
        assertThat(queue.add(command("NOOP"))).isTrue();
        assertThat(queue.add(command("SYST"))).isFalse();
        assertThat(queue.addFirst(command("ABOR"))).isTrue();
        assertThat(queue.addFirst(command("ABOR"))).isFalse();

        queue.pump();
        assertThat(run).containsExactly("ABOR");
    }

    @Test
    void longCommandsWaitOnlyAsFarAsTheirMemoryIsAllowed() {
        assertThat(queue.add(command("ADAT", 1000))).as("runs at once").isTrue();
        queue.pump();

        assertThat(queue.add(command("CWD", 51))).isFalse();
        assertThat(queue.addFirst(command("ABOR", 51))).isFalse();
        assertThat(queue.add(command("CWD", 50))).isTrue();
        assertThat(queue.add(command("CWD", 1))).isFalse();
        assertThat(queue.addFirst(command("ABOR"))).isTrue();

        queue.replied();
        queue.pump();
        queue.replied();
        queue.pump();
        assertThat(run).containsExactly("ADAT", "ABOR", "CWD");
        assertThat(queue.add(command("CWD", 50))).as("nothing waits any more").isTrue();
    }

    @Test
    void aCommandThatRepliesAtOnceMakesRoomForTheNextInTheSameTurn() {
        List<String> both = new ArrayList<>();
        CommandQueue[] quick = new CommandQueue[1];
        quick[0] = new CommandQueue(() -> LIMITS, () -> true, parsed -> {
            both.add(verb(parsed));
            quick[0].replied();
            quick[0].pump(); // as a session does; it must not run the next one inside this one
            both.add("end of " + verb(parsed));
        });
        quick[0].add(command("PWD"));
        quick[0].add(command("NOOP"));

        quick[0].pump();
        assertThat(both).containsExactly("PWD", "end of PWD", "NOOP", "end of NOOP");
    }

    @Test
    void nothingRunsOnceItIsClosed() {
        queue.add(command("PWD"));
        queue.close();

        queue.pump();
        assertThat(run).isEmpty();
        assertThat(queue.isClosed()).isTrue();
        assertThat(queue.isEmpty()).isTrue();
    }
}
