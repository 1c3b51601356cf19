package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.it.harness.CommandRun;
import io.hawser.it.harness.Curl;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.release.process.ProcessChain.Part;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * What the far end refuses until a person helps: refused before the final reply where the far end can be asked, and otherwise a dead
 * letter that both ends show, that holds up nothing, and that 'hawser dead' resolves.
 */
class RefusedFilesIT extends Scenario {
    private CommandRun dead(String... words) throws Exception {
        String[] command = new String[words.length + 3];
        command[0] = "dead";
        System.arraycopy(words, 0, command, 1, words.length);
        command[words.length + 1] = "--admin";
        command[words.length + 2] = chain.admin(Part.AGENT_B).orElseThrow().toString();
        return CommandRun.of(command);
    }

    private boolean isRefused(Path file, String path) throws Exception {
        try (Curl curl = Curl.upload(chain.ftp(), file, path)) {
            return curl.await(LIMIT) != 0 && curl.complaints().contains("553");
        }
    }

    private String state(String name) {
        return chain.status(Part.AGENT_A, name).map(TransferStatus::state).orElse("");
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aFileOverADirectoryIsRefusedOrADeadLetter() throws Exception {
        chain.startAll();
        Path file = sample("file", 100_000, 1);
        Files.createDirectories(delivered("early"));
        Files.createDirectories(delivered("taken/inside"));
        Files.createDirectories(delivered("other"));

        // A node that has just started may take longer to answer than an upload waits.
        await("refused while the client is there").until(() -> isRefused(file, "early"));
        assertThat(visible(chain.target())).isEmpty();
        dead("drop", "--all").succeeded();

        chain.kill(Part.AGENT_B);
        upload(file, "taken");
        upload(file, "other");
        chain.start(Part.AGENT_B);
        await("dead letters")
                .until(() -> state("taken").equals("dead") && state("other").equals("dead"));
        assertThat(dead("list").succeeded().out()).contains("taken", "A directory stands at");
        assertThat(page(Part.AGENT_B, "/health")).contains("2 transfers could not be delivered");
        assertThat(page(Part.AGENT_B, "/metrics")).contains("hawser_landing_dead_letters 2");

        assertThat(page(Part.AGENT_A, "/health")).contains("2 accepted transfers were not delivered");

        // What follows on the same path is not held up, and what is mended arrives.
        String first = chain.status(Part.AGENT_A, "taken").orElseThrow().key();
        Files.delete(delivered("taken/inside"));
        Files.delete(delivered("taken"));
        Path newer = sample("newer", 1000, 2);
        upload(newer, "taken");
        awaitDelivered(newer, "taken");
        Files.delete(delivered("other"));
        assertThat(dead("retry", "--all").succeeded().out()).contains("tried again", "other", "skipped");
        awaitDelivered(file, "other");
        assertThat(delivered("taken")).hasSameBinaryContentAs(newer);

        assertThat(dead("drop", "--all").succeeded().out()).contains("dropped");
        await("the FAILED receipt").until(() -> receipts(first, "failed") > 0);
        await("no warning").until(() -> !page(Part.AGENT_B, "/health").contains("could not be delivered"));
    }
}
