package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What {@code docs/how-to/back-up-and-restore.md} says of copies of nodes' directories, and of going on with one. */
class BackupIT extends Scenario {
    private void awaitCommitted(String name) {
        await("the commit of " + name).until(() -> chain.status(Part.BROKER, name)
                .map(TransferStatus::state)
                .orElse("")
                .equals("committed"));
    }

    private void copy(Path from, Path to) throws Exception {
        Process cp = new ProcessBuilder("cp", "-a", from.toString(), to.toString())
                .inheritIO()
                .start();
        assertThat(cp.waitFor()).isZero();
    }

    private void restore(Part part, Path backup) throws Exception {
        Files.move(chain.data(part), directory.resolve("lost-" + part.command()));
        copy(backup, chain.data(part));
    }

    private String log(Part part) throws IOException {
        return Files.readString(chain.logFile(part));
    }

    private void takeAway(String name) throws IOException {
        Files.delete(delivered(name));
    }

    @Test
    void aBrokerThatGoesOnWithAnOlderCopyDeliversNothingTwiceAndWhatTheCopyHas() throws Exception {
        chain.startAll();
        await("the subscription")
                .until(() -> page(Part.BROKER, "/subscriptions").contains("\"b\""));
        chain.kill(Part.AGENT_B);
        Path one = sample("one", 3 * MIB, 1);
        upload(one, "one");
        awaitCommitted("one");
        assertThat(chain.stop(Part.BROKER)).isZero();
        Path backup = directory.resolve("backup");
        copy(chain.data(Part.BROKER), backup);
        chain.start(Part.BROKER);
        Path two = sample("two", 2 * MIB, 2);
        upload(two, "two");
        awaitCommitted("two");
        chain.start(Part.AGENT_B);
        awaitDelivered(one, "one");
        awaitDelivered(two, "two");
        await("the receipts").until(() -> receipts("one", "delivered") == 1 && receipts("two", "delivered") == 1);
        takeAway("one");
        takeAway("two");

        chain.kill(Part.BROKER);
        restore(Part.BROKER, backup);
        chain.start(Part.BROKER);

        await("what the copy owes")
                .until(() -> page(Part.BROKER, "/metrics").contains("\nhawser_store_used_bytes 0.0\n"));
        Path three = sample("three", MIB, 3);
        upload(three, "three");
        awaitDelivered(three, "three");
        await("the receipt").until(() -> receipts("three", "delivered") == 1);
        assertThat(visible(chain.target())).containsExactly("three");
    }

    @Test
    void whatACopyOfTheSpoolHasArrivesOnceAlsoIfTheBrokerHasItAlready() throws Exception {
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_A);
        assertThat(chain.stop(Part.BROKER)).isZero();
        Path one = sample("one", 3 * MIB, 1);
        upload(one, "one"); // durable at agent-a alone
        assertThat(chain.stop(Part.AGENT_A)).isZero();
        Path backup = directory.resolve("backup");
        copy(chain.data(Part.AGENT_A), backup);
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_A);
        chain.start(Part.AGENT_B);
        awaitDelivered(one, "one");
        await("the receipt").until(() -> receipts("one", "delivered") == 1);
        Path two = sample("two", 2 * MIB, 2);
        upload(two, "two"); // with a number that the copy does not know of
        awaitDelivered(two, "two");
        await("the receipt").until(() -> receipts("two", "delivered") == 1);
        takeAway("one");
        takeAway("two");

        chain.kill(Part.AGENT_A);
        restore(Part.AGENT_A, backup);
        chain.start(Part.AGENT_A);

        await("what the broker says of the old one")
                .until(() -> log(Part.AGENT_A).contains("finished or cancelled before"));
        Path other = sample("other", MIB, 3);
        upload(other, "two");
        awaitDelivered(other, "two");
        await("the receipt").until(() -> receipts("two", "delivered") == 1);
        assertThat(visible(chain.target())).containsExactly("two");
    }

    @Test
    @Invariant({InvariantName.NO_SILENT_STOP, InvariantName.EXACTLY_ONCE_DELIVERY})
    void aBrokerThatGoesOnWithAnOlderCopyIsGivenWhatItLost() throws Exception {
        chain.startAll();
        await("the subscription")
                .until(() -> page(Part.BROKER, "/subscriptions").contains("\"b\""));
        assertThat(chain.stop(Part.BROKER)).isZero();
        Path backup = directory.resolve("backup");
        copy(chain.data(Part.BROKER), backup);
        chain.start(Part.BROKER);
        Path delivered = sample("delivered", 2 * MIB, 1);
        upload(delivered, "delivered");
        awaitDelivered(delivered, "delivered");
        await("the receipt").until(() -> receipts("delivered", "delivered") == 1);
        chain.kill(Part.AGENT_B);
        Path waiting = sample("waiting", 3 * MIB, 2);
        upload(waiting, "waiting");
        awaitCommitted("waiting");
        await("COMMITTED").until(() -> chain.status(Part.AGENT_A, "waiting")
                .map(TransferStatus::state)
                .orElse("")
                .equals("committed"));
        takeAway("delivered");

        chain.kill(Part.BROKER);
        restore(Part.BROKER, backup);
        chain.start(Part.BROKER);

        // On /health it is a warning only until the broker has it again, which may be sooner than anybody looks.
        await("what agent-a says")
                .until(
                        () -> log(Part.AGENT_A)
                                .matches(
                                        "(?s).*The broker no longer has transfers that it had taken[^\\n]* offeredAgain=\"1\" failed=\"0\".*"));
        chain.start(Part.AGENT_B);
        awaitDelivered(waiting, "waiting");
        await("the receipt").until(() -> receipts("waiting", "delivered") == 1);
        assertThat(visible(chain.target())).containsExactly("waiting");
    }

    @Test
    @Invariant({InvariantName.NO_SILENT_STOP, InvariantName.EXACTLY_ONCE_DELIVERY})
    void whatWasDeliveredBeforeTheOlderCopyIsNotDeliveredTwiceAndItsReceiptComes() throws Exception {
        chain.startAll();
        await("the subscription")
                .until(() -> page(Part.BROKER, "/subscriptions").contains("\"b\""));
        assertThat(chain.stop(Part.BROKER)).isZero();
        Path backup = directory.resolve("backup");
        copy(chain.data(Part.BROKER), backup);
        chain.kill(Part.AGENT_B);
        chain.start(Part.BROKER);
        Path one = sample("one", 2 * MIB, 1);
        upload(one, "one");
        awaitCommitted("one");
        await("COMMITTED").until(() -> chain.status(Part.AGENT_A, "one")
                .map(TransferStatus::state)
                .orElse("")
                .equals("committed"));
        chain.kill(Part.AGENT_A); // so that the receipt stays at the broker
        chain.start(Part.AGENT_B);
        awaitDelivered(one, "one");
        await("the receipt at the broker").until(() -> chain.status(Part.BROKER, "one").stream()
                .flatMap(status -> status.receipts().stream())
                .anyMatch(receipt -> receipt.status().equals("delivered")));
        takeAway("one");

        chain.kill(Part.BROKER);
        restore(Part.BROKER, backup);
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_A);

        await("the receipt").until(() -> receipts("one", "delivered") == 1);
        assertThat(visible(chain.target())).isEmpty();
    }
}
