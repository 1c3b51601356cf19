package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.it.harness.CommandRun;
import io.hawser.ops.cli.AdminClient;
import io.hawser.ops.observe.Health;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.Json;
import io.hawser.ops.observe.TransferPage;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;

/** A chain whose nodes warn after 2 s, and what a test asks of a node that holds a transfer which does not move. */
abstract class StuckScenario extends Scenario {
    static final String UPLINK = HopStatus.PUBLISHER_TO_BROKER;
    static final String DOWNLINK = HopStatus.toSubscription(ProcessChain.SUBSCRIPTION);
    static final String NO_CONSUMER = "its consumer is not connected";

    @BeforeEach
    void warnSoon() {
        for (Part part : Part.values()) {
            chain.with(part, "--warn-after", "2s");
        }
    }

    /** A node's hop of a transfer of that name shows that it does not move, and why. */
    void shows(Part node, String name, String hop, String reason) {
        await(node + " says of " + name + ": " + reason).until(() -> transfers(node, name).stream()
                .flatMap(transfer -> transfer.hops().stream())
                .anyMatch(each -> each.hop().equals(hop) && each.reason().contains(reason)));
    }

    List<TransferStatus> transfers(Part node, String name) throws IOException {
        return Json.read(read(node, "/transfers", Map.of("key", name)), TransferPage.class)
                .transfers();
    }

    byte[] read(Part node, String path, Map<String, String> query) {
        return new AdminClient(chain.admin(node).orElseThrow(), null).get(path, query);
    }

    Health health(Part node) throws IOException {
        return Json.read(read(node, "/health", Map.of()), Health.class);
    }

    void warns(Part node, String code, String... words) {
        await("the warning " + code)
                .untilAsserted(() -> assertThat(health(node).warnings()).anySatisfy(each -> {
                    assertThat(each.code()).isEqualTo(code);
                    assertThat(each.sentence()).contains(words);
                }));
    }

    void hasNoWarning(Part node) {
        await("no warning").until(() -> health(node).warnings().isEmpty());
    }

    void counts(Part node, String metric, long value) {
        await(metric).until(() -> page(node, "/metrics").contains("\n" + metric + " " + value + ".0\n"));
    }

    static String stalled(String cause) {
        return "hawser_stalled_transfers{cause=\"" + cause + "\"}";
    }

    String command(Part node, String... words) throws Exception {
        String[] all = Arrays.copyOf(words, words.length + 2);
        all[words.length] = "--admin";
        all[words.length + 1] = chain.admin(node).orElseThrow().toString();
        return CommandRun.of(all).succeeded().out();
    }

    String key(String name) {
        return chain.status(Part.BROKER, name).orElseThrow().key();
    }
}
