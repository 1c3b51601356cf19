package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.client.ClientOptions;
import io.hawser.client.HawserClient;
import io.hawser.client.HawserException;
import io.hawser.client.SentTransfer;
import io.hawser.ops.cli.AdminClient;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.observe.HopStatus;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What an operator ends: a subscription that nobody will use again, and the wait for one that never comes. */
class OperatorIT extends Scenario {
    private AdminClient broker() {
        return new AdminClient(chain.admin(Part.BROKER).orElseThrow(), null);
    }

    private boolean keepsNothing() {
        return page(Part.BROKER, "/metrics").contains("\nhawser_store_used_bytes 0.0\n");
    }

    private String subscriptions() {
        return page(Part.BROKER, "/subscriptions");
    }

    private void loseIndex() throws IOException {
        List<Path> files;
        try (Stream<Path> paths = Files.walk(chain.data(Part.BROKER))) {
            files = paths.filter(path -> path.toString().endsWith(".mv.db")).toList();
        }
        assertThat(files).isNotEmpty();
        for (Path file : files) {
            Files.delete(file);
        }
    }

    @Test
    void aSubscriptionThatWasRemovedStaysSoAndItsPublisherIsTold() throws Exception {
        chain.startAll();
        Map<String, String> name = Map.of("name", ProcessChain.SUBSCRIPTION);
        await("the subscription").until(() -> subscriptions().contains("\"connected\" : true"));
        assertThatThrownBy(() -> broker().post("/subscriptions/remove", name))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("stop that consumer first");
        assertThat(chain.stop(Part.AGENT_B)).isZero();
        Path waiting = sample("waiting", 5 * MIB, 1);
        upload(waiting, "waiting");
        awaitHop(Part.BROKER, "waiting", HopStatus.toSubscription(ProcessChain.SUBSCRIPTION), hop -> hop.reason()
                .equals("its consumer is not connected"));

        await("the removal").ignoreExceptions().until(() -> {
            broker().post("/subscriptions/remove", name);
            return true;
        });
        chain.kill(Part.BROKER);
        loseIndex();
        chain.start(Part.BROKER);

        await("the receipt").until(() -> receipts("waiting", "expired") == 1);
        assertThat(chain.status(Part.AGENT_A, "waiting").orElseThrow().state()).isEqualTo("expired");
        assertThat(subscriptions()).isEqualToIgnoringWhitespace("[]");
        await("the space").until(this::keepsNothing);
        chain.start(Part.AGENT_B);
        Path source = sample("source", 3 * MIB, 2);
        upload(source, "file");
        awaitDelivered(source, "file");
        assertThat(visible(chain.target())).containsExactly("file");
    }

    @Test
    void whatNobodyComesForExpiresAndItsPublisherIsTold() throws Exception {
        chain.with(Part.BROKER, "--retain-unclaimed", "1s").start(Part.BROKER);
        ClientOptions options = ClientOptions.of(chain.brokerPtcp().toString()).withState(directory.resolve("state"));
        try (HawserClient client = HawserClient.connect(options)) {
            SentTransfer sent = client.send("nowhere", sample("source", 3 * MIB, 1), "file");
            sent.brokered().get(LIMIT.toSeconds(), TimeUnit.SECONDS);

            assertThatThrownBy(() -> sent.delivered().get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .hasCauseInstanceOf(HawserException.class)
                    .hasMessageContaining("no subscription came for it within 1s");
        }
        await("the space").until(this::keepsNothing);
        await("its state").until(() -> chain.status(Part.BROKER, "file")
                .filter(status -> status.state().equals("expired"))
                .isPresent());
    }
}
