package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.it.harness.CommandRun;
import io.hawser.ops.cli.ExitCode;
import io.hawser.release.process.NodeProcess;
import io.hawser.release.process.ProcessChain;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A node gets its keys by one line that is pasted on its machine. */
class JoinIT extends Scenario {
    private Path keys;

    /** The line that is pasted, as words behind {@code hawser}, with {@code target} behind {@code --into}. */
    private String[] pasted(CommandRun invited, Path target) {
        List<String> words = new ArrayList<>(List.of(invited.out().strip().split(" ")));
        assertThat(words.get(0)).isEqualTo("hawser");
        words.remove(0);
        words.set(words.indexOf("--into") + 1, target.toString());
        return words.toArray(String[]::new);
    }

    private CommandRun invite(NodeProcess serving, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "keys",
                "invite",
                keys.toString(),
                "--at",
                serving.address("join").toString(),
                "--role",
                "client"));
        command.addAll(List.of(more));
        return CommandRun.of(command.toArray(String[]::new)).succeeded();
    }

    private CommandRun send(Path file, String topic, Path tls) throws Exception {
        return CommandRun.of(
                "send",
                file.toString(),
                "--to",
                topic,
                "--wait",
                "brokered",
                "--broker",
                chain.brokerPtcp().toString(),
                "--state",
                directory.resolve("state").toString(),
                "--tls",
                tls.toString());
    }

    @Test
    void whoWasInvitedJoinsByOneLineAndMayDoWhatTheInvitationSays() throws Exception {
        keys = directory.resolve("keys");
        CommandRun.of("keys", "init", keys.toString()).succeeded();
        chain.withTls(keys);
        chain.startAll();
        Path source = sample("source", MIB, 1);
        Path berlin = directory.resolve("keys-berlin");
        Path audit = directory.resolve("join-audit.log");
        try (NodeProcess serving = NodeProcess.start(
                directory.resolve("serve.log"),
                List.of("keys", "serve", keys.toString(), "--listen", "127.0.0.1:0", "--audit", audit.toString()))) {
            CommandRun invited = invite(serving, "--name", "berlin", "--allow", "publish=" + ProcessChain.TOPIC);
            String[] line = pasted(invited, berlin);
            CommandRun.of(line).succeeded();

            CommandRun again = CommandRun.of(pasted(invited, directory.resolve("keys-thief")));
            assertThat(again.code()).isEqualTo(ExitCode.REFUSED.code());
            assertThat(again.log()).contains("this invitation was used before");
            assertThat(directory.resolve("keys-thief")).doesNotExist();

            await("the audit log").until(() -> Files.readString(audit).contains("used before"));
            assertThat(Files.readString(audit))
                    .contains("\"object\":\"client:berlin\"")
                    .doesNotContain(line[2].split("\\.")[1]);
            assertThat(CommandRun.of("keys", "list", keys.toString())
                            .succeeded()
                            .out())
                    .contains("client:berlin")
                    .contains("USED");
        }

        send(source, ProcessChain.TOPIC, berlin).succeeded();
        CommandRun refused = send(source, "plans", berlin);
        assertThat(refused.code()).isEqualTo(ExitCode.REFUSED.code());
        assertThat(refused.log()).contains("client:berlin has no right to publish on topic plans");
    }
}
