package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.it.harness.Shell;
import io.hawser.ops.cli.AdminClient;
import io.hawser.ops.event.HistoryHop;
import io.hawser.ops.event.HistoryPage;
import io.hawser.ops.event.HistoryRow;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.Json;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What happened is recorded at each node, whoever is killed, once for each transfer. */
class HistoryIT extends Scenario {
    private List<HistoryRow> history(Part node, Map<String, String> query) throws IOException {
        byte[] page = new AdminClient(chain.admin(node).orElseThrow(), null).get("/history", query);
        return Json.read(page, HistoryPage.class).rows();
    }

    private List<HistoryRow> named(Part node, String name) throws IOException {
        return history(node, Map.of("name", name));
    }

    @Test
    void eachNodeTellsWhatHappenedToAnUpload() throws Exception {
        Path xferLog = directory.resolve("xferlog");
        chain.with(Part.AGENT_A, "--xferlog", xferLog.toString()).startAll();
        Path source = sample("source", 3 * MIB, 1);
        upload(source, "dir/a file");
        awaitDelivered(source, "dir/a file");
        for (Part node : Part.values()) {
            await("the history of " + node).ignoreExceptions().until(() -> !named(node, "dir/a file")
                    .isEmpty());
            HistoryRow row = named(node, "dir/a file").get(0);
            assertThat(row.outcome()).as(node.toString()).isEqualTo("delivered");
            assertThat(row.sizeBytes()).isEqualTo(3 * MIB);
            assertThat(row.who()).isEqualTo("anonymous");
            assertThat(row.digest()).startsWith("hts256-");
            assertThat(row.hops())
                    .extracting(HistoryHop::hop)
                    .contains(HopStatus.toSubscription(ProcessChain.SUBSCRIPTION));
        }
        assertThat(named(Part.AGENT_A, "dir/a file").get(0).from()).startsWith("127.0.0.1:");

        Shell.run("curl", "-sS", "-o", directory.resolve("back").toString(), "ftp://" + chain.ftp() + "/dir/a%20file");
        await("the download").until(() -> named(Part.AGENT_A, "dir/a file").size() == 2);
        HistoryRow download = named(Part.AGENT_A, "dir/a file").get(0);
        assertThat(download.kind()).isEqualTo("download");
        assertThat(download.outcome()).isEqualTo("downloaded");
        await("two lines").until(() -> Files.readAllLines(xferLog).size() == 2);
        assertThat(Files.readAllLines(xferLog).get(0))
                .matches(".{24} [0-9]+ 127.0.0.1 " + 3 * MIB + " /dir/a_file b _ i a anonymous ftp 0 \\* c");
        assertThat(Files.readAllLines(xferLog).get(1)).contains("/dir/a_file b _ o a");
    }

    @Test
    void whoeverIsKilledEachTransferIsRecordedOnce() throws Exception {
        chain.startAll();
        Path source = sample("source", 1000, 2);
        List<String> names = new ArrayList<>();
        for (int round = 0; round < 6; round++) {
            for (int i = 0; i < 5; i++) {
                String name = "r" + round + "-" + i;
                upload(source, name);
                names.add(name);
            }
            if (round >= 3) {
                awaitDelivered(source, names.get(names.size() - 1)); // killed after the end rather than before
            }
            Part part = List.of(Part.values()).get(round % Part.values().length);
            chain.kill(part);
            chain.start(part);
        }
        for (String name : names) {
            awaitDelivered(source, name);
        }
        for (Part node : Part.values()) {
            await("the history of " + node)
                    .ignoreExceptions()
                    .until(() -> history(node, Map.of("limit", "1000")).size() >= names.size());
            assertThat(history(node, Map.of("limit", "1000")))
                    .as(node.toString())
                    .allSatisfy(row -> assertThat(row.outcome()).isEqualTo("delivered"))
                    .extracting(HistoryRow::name)
                    .containsExactlyInAnyOrderElementsOf(names);
        }
    }
}
