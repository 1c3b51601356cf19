package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.client.ClientOptions;
import io.hawser.client.HawserClient;
import io.hawser.client.ReceivedObject;
import io.hawser.client.Receiver;
import io.hawser.core.testkit.FarServerProcess;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a consumer does not take, or not soon: each node that holds the transfer shows why, and it moves when the consumer does, or when the
 * operator has mended the cause.
 */
@Tag("full")
@Invariant(InvariantName.NO_SILENT_STOP)
class StuckConsumerIT extends StuckScenario {
    private static final long FAR_BELOW_A_FRAGMENT = 64 << 10;

    @Test
    void whatAProgramHasAndDoesNotAckIsReportedUntilItDoes() throws Exception {
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_A);
        BlockingQueue<ReceivedObject> received = new LinkedBlockingQueue<>();
        ClientOptions options = ClientOptions.of(chain.brokerPtcp().toString()).withState(directory.resolve("state"));
        try (HawserClient client = HawserClient.connect(options);
                Receiver receiver = client.receive(ProcessChain.TOPIC, ProcessChain.SUBSCRIPTION, received::add)) {
            receiver.subscribed().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            upload(sample("large", 3 * MIB, 1), "large");
            ReceivedObject stalled = next(received);
            shows(Part.BROKER, "large", DOWNLINK, "its consumer has it and has not acknowledged it");
            shows(Part.AGENT_A, "large", UPLINK, "the final receipt has yet to come from " + ProcessChain.SUBSCRIPTION);
            warns(
                    Part.BROKER,
                    "stalled.subscription",
                    "1 accepted transfer",
                    "its consumer has it and has not acknowledged it");
            counts(Part.BROKER, stalled("subscription"), 1);

            stalled.later("the press is out of paper");
            shows(
                    Part.BROKER,
                    "large",
                    DOWNLINK,
                    "the far end has it and cannot deliver it: the press is out of paper");
            warns(Part.BROKER, "stalled.subscription", "the press is out of paper");
            next(received).later("the press is jammed");
            shows(Part.BROKER, "large", DOWNLINK, "the far end has it and cannot deliver it: the press is jammed");
            await("the reason at agent-a").until(() -> transfers(Part.AGENT_A, "large").stream()
                    .flatMap(transfer -> transfer.receipts().stream())
                    .anyMatch(receipt -> receipt.reason().equals("the press is jammed")));

            next(received).ack();
            await("the receipt").until(() -> receipts("large", "delivered") == 1);
            hasNoWarning(Part.BROKER);

            upload(sample("small", 100, 2), "small");
            ReceivedObject small = next(received);
            shows(Part.BROKER, "small", DOWNLINK, "its consumer has it and has not acknowledged it");
            counts(Part.BROKER, stalled("subscription"), 1);
            small.reject("nobody wants it");
            await("the receipt").until(() -> receipts("small", "failed") == 1);
            hasNoWarning(Part.BROKER);
        }
    }

    private static ReceivedObject next(BlockingQueue<ReceivedObject> received) throws InterruptedException {
        ReceivedObject object = received.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(object).as("an object for the program").isNotNull();
        return object;
    }

    @Test
    void whatARateLimitSlowsDownSaysSoAndNeedsNobody() throws Exception {
        chain.plain(Part.BROKER); // a fragment takes longer than 2 s
        chain.with(Part.AGENT_B, "--max-rate", FAR_BELOW_A_FRAGMENT + "B/s").startAll();
        Path source = sample("source", 3 * MIB, 1);
        upload(source, "file");
        shows(Part.BROKER, "file", DOWNLINK, "its subscription gets at most 65,536 bytes/s (--max-rate)");
        assertThat(health(Part.BROKER).warnings()).isEmpty();

        assertThat(chain.stop(Part.AGENT_B)).isZero();
        chain.plain(Part.AGENT_B).start(Part.AGENT_B);
        awaitDelivered(source, "file");
    }

    @Test
    void whatADeadlineEndsHasItsReasonInTheReceiptAndLeavesNothingBehind() throws Exception {
        chain.with(Part.AGENT_B, "--deadline", "5s").startAll();
        await("the subscription")
                .until(() -> page(Part.BROKER, "/subscriptions").contains("\"b\""));
        chain.kill(Part.AGENT_B);
        upload(sample("late", 3 * MIB, 1), "late");
        shows(Part.BROKER, "late", DOWNLINK, NO_CONSUMER);
        String reason = "it had not reached subscription " + ProcessChain.SUBSCRIPTION + " within";
        await("the end of it").until(() -> transfers(Part.AGENT_A, "late").stream()
                .flatMap(transfer -> transfer.receipts().stream())
                .anyMatch(receipt ->
                        receipt.status().equals("expired") && receipt.reason().contains(reason)));
        assertThat(transfers(Part.AGENT_A, "late"))
                .allMatch(line -> line.state().equals("expired"));
        assertThat(transfers(Part.BROKER, "late")).allMatch(line -> line.state().equals("expired"));
        hasNoWarning(Part.BROKER);
        hasNoWarning(Part.AGENT_A);
        counts(Part.BROKER, stalled("subscription"), 0);
    }

    @Test
    void aRefusedLoginAtTheFarServerIsReportedUntilThePasswordIsRight() throws Exception {
        try (FarServerProcess server = FarServerProcess.pyftpdlib(directory.resolve("far"), 0)) {
            Path secret = Files.writeString(directory.resolve("secret"), "wrong");
            Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
            chain.into(server.url("in").replace("://", "://" + FarServerProcess.ACCOUNT + "@"))
                    .with(Part.AGENT_B, "--into-password-file", secret.toString())
                    .start(Part.BROKER);
            chain.start(Part.AGENT_A);
            chain.start(Part.AGENT_B);
            Path source = sample("source", 3 * MIB, 1);
            upload(source, "file");
            shows(Part.AGENT_B, "file", DOWNLINK, "530");
            shows(Part.BROKER, "file", DOWNLINK, "the far end has it and cannot deliver it: ");
            shows(Part.BROKER, "file", DOWNLINK, "530");
            shows(Part.AGENT_A, "file", UPLINK, "the final receipt has yet to come from " + ProcessChain.SUBSCRIPTION);
            await("the reason at agent-a").until(() -> transfers(Part.AGENT_A, "file").stream()
                    .flatMap(transfer -> transfer.receipts().stream())
                    .anyMatch(receipt -> receipt.reason().contains("530")));
            warns(Part.AGENT_B, "into.problem", "530");
            warns(Part.AGENT_B, "stalled.target", "1 accepted transfer", "530");
            counts(Part.AGENT_B, stalled("target"), 1);

            assertThat(chain.stop(Part.AGENT_B)).isZero();
            Files.writeString(secret, FarServerProcess.PASSWORD);
            chain.start(Part.AGENT_B);
            Path there = server.root().resolve("in/file");
            await("the file at the far server").until(() -> Files.exists(there));
            assertThat(Files.mismatch(source, there)).isEqualTo(-1);
            await("the receipt").until(() -> receipts("file", "delivered") == 1);
            hasNoWarning(Part.AGENT_B);
            hasNoWarning(Part.BROKER);
        }
    }
}
