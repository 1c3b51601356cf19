package io.hawser.it.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hawser.agentb.AgentB;
import io.hawser.client.ClientOptions;
import io.hawser.client.DeliveryReceipt;
import io.hawser.client.HawserClient;
import io.hawser.client.HawserException;
import io.hawser.client.ReceivedObject;
import io.hawser.client.Receiver;
import io.hawser.client.SentTransfer;
import io.hawser.client.TransferId;
import io.hawser.ptcp.testkit.Leaks;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HawserClientIT {
    @TempDir
    Path directory;

    private LocalChain chain;
    private Path into;

    @BeforeEach
    void start() throws IOException {
        chain = new LocalChain(directory);
        into = directory.resolve("into");
    }

    @AfterEach
    void stop() {
        chain.close();
        Leaks.assertNone();
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(TestTimes.SECONDS, TimeUnit.SECONDS);
    }

    /** More often than there are buffers. */
    @Test
    void sourcesThatThrowTakeNothingWithThem() throws Exception {
        AgentB agent = chain.agentB("site-b", "site-b", into);
        try (HawserClient client = chain.client("sender")) {
            for (int i = 0; i < 20; i++) {
                assertThatThrownBy(() -> client.send("site-b", "f", new InputStream() {
                            @Override
                            public int read() {
                                throw new IllegalStateException("on purpose");
                            }

                            @Override
                            public int read(byte[] into, int offset, int length) {
                                throw new IllegalStateException("on purpose");
                            }
                        }))
                        .hasMessage("on purpose");
            }

            byte[] good = random(100_000);
            get(client.send("site-b", "f", new ByteArrayInputStream(good)).delivered());

            assertThat(into.resolve("f")).hasBinaryContent(good);
            assertThat(client.pending()).isEmpty();
        }
        agent.stop();
    }

    @Test
    void bytesFilesStreamsAndDirectoriesArriveUnderTheirNames() throws Exception {
        byte[] large = random(3 * (1 << 20) + 77);
        Path file = Files.write(directory.resolve("source file.bin"), large);
        AgentB agent = chain.agentB("site-b", "site-b", into);
        try (HawserClient client = chain.client("a")) {
            List<SentTransfer> sent = List.of(
                    client.send("site-b", "small/greeting.txt", "hello".getBytes(StandardCharsets.UTF_8)),
                    client.send("site-b", "empty", new byte[0]),
                    client.send("site-b", "large bytes", large),
                    client.send("site-b", file),
                    client.send("site-b", "streamed.bin", new ByteArrayInputStream(large)),
                    client.makeDirectory("site-b", "an/empty/directory"));
            for (SentTransfer transfer : sent) {
                List<DeliveryReceipt> receipts = get(transfer.delivered());
                assertThat(receipts).extracting(DeliveryReceipt::subscription).containsExactly("site-b");
            }
        } finally {
            agent.stop();
        }
        assertThat(into.resolve("small/greeting.txt")).hasContent("hello");
        assertThat(into.resolve("empty")).isEmptyFile();
        assertThat(into.resolve("large bytes")).hasBinaryContent(large);
        assertThat(into.resolve("source file.bin")).hasBinaryContent(large);
        assertThat(into.resolve("streamed.bin")).hasBinaryContent(large);
        assertThat(into.resolve("an/empty/directory")).isDirectory();
        assertThat(Files.getLastModifiedTime(into.resolve("source file.bin")).toMillis())
                .isEqualTo(Files.getLastModifiedTime(file).toMillis());
    }

    @Test
    void whatWasAcceptedGoesOnInTheNextLifeOfTheJournal() throws Exception {
        byte[] content = random(2 * (1 << 20) + 5);
        Path file = Files.write(directory.resolve("later.bin"), content);
        Path small = Files.write(directory.resolve("small"), random(100));
        chain.stopBroker();
        try (HawserClient client = chain.client("a")) {
            get(client.send("site-b", file).spooled());
            get(client.send("site-b", "later.txt", random(100)).spooled());
            get(client.send("site-b", small, "later.small").spooled());
        }
        chain.restartBroker();
        AgentB agent = chain.agentB("site-b", "site-b", into);
        HawserClient.open(chain.options("a")).close(); // looks only
        try (HawserClient client = HawserClient.open(chain.options("a"))) {
            List<SentTransfer> pending = client.pending();
            assertThat(pending)
                    .extracting(SentTransfer::name)
                    .containsExactlyInAnyOrder("later.bin", "later.txt", "later.small");
            assertThat(client.findPending("site-b", "later.bin", file)).isPresent();
            assertThat(client.findPending("site-b", "later.small", small)).isPresent();
            FileTime modified = Files.getLastModifiedTime(small);
            Files.write(small, new byte[100]);
            Files.setLastModifiedTime(small, modified);
            assertThat(client.findPending("site-b", "later.small", small)).isEmpty();
            assertThatThrownBy(() -> client.send("site-b", file))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("start()");
            client.start();
            for (SentTransfer transfer : pending) {
                get(transfer.delivered());
            }
        } finally {
            agent.stop();
        }
        assertThat(into.resolve("later.bin")).hasBinaryContent(content);
    }

    @Test
    void sourceThatChangesIsRefusedAndNotMixed() throws Exception {
        Path file = Files.write(directory.resolve("changing.bin"), random(2 * (1 << 20)));
        chain.stopBroker();
        try (HawserClient client = chain.client("a")) {
            SentTransfer transfer = client.send("site-b", file);
            get(transfer.spooled());
            Files.write(file, random(2 * (1 << 20) + 1));
            chain.restartBroker();
            assertThatThrownBy(() -> get(transfer.brokered())).hasCauseInstanceOf(HawserException.class);
        }
    }

    @Test
    void cancelledTransferIsNotDelivered() throws Exception {
        chain.stopBroker();
        try (HawserClient client = chain.client("a")) {
            SentTransfer transfer = client.send("site-b", "unwanted", random(1000));
            get(transfer.spooled());
            get(transfer.cancel("changed my mind"));
            assertThatThrownBy(() -> get(transfer.brokered())).hasCauseInstanceOf(HawserException.class);
            chain.restartBroker();
            AgentB agent = chain.agentB("site-b", "site-b", into);
            get(client.send("site-b", "wanted", random(1000)).delivered());
            agent.stop();
        }
        assertThat(into.resolve("wanted")).exists();
        assertThat(into.resolve("unwanted")).doesNotExist();
    }

    @Test
    void aCancelAfterARestartIsConfirmedByTheBroker() throws Exception {
        chain.stopBroker();
        try (HawserClient client = chain.client("a")) {
            get(client.send("site-b", "unwanted", random(1000)).spooled());
        }
        AgentB agent;
        try (HawserClient client = chain.client("a")) {
            SentTransfer transfer = client.pending().get(0);
            CompletableFuture<TransferId> cancelled = transfer.cancel("changed my mind");
            get(client.send("site-b", "journaled after it", random(10)).spooled());
            assertThat(cancelled).isNotDone();
            assertThat(transfer.brokered()).isNotDone();

            chain.restartBroker();
            agent = chain.agentB("site-b", "site-b", into);
            get(cancelled);
            assertThatThrownBy(() -> get(transfer.brokered())).hasCauseInstanceOf(HawserException.class);
            get(client.send("site-b", "wanted", random(1000)).delivered());
        }
        agent.stop();
        assertThat(into.resolve("unwanted")).doesNotExist();
    }

    /** The journal is a copy from before the commit, as if the program had died before it heard of that. */
    @Test
    void aCancelReachesABrokerThatHadTheTransferInAnotherCopyOfTheState() throws Exception {
        chain.stopBroker();
        try (HawserClient client = chain.client("a")) {
            get(client.send("site-b", "f", random(1000)).spooled());
        }
        copy(directory.resolve("client-a"), directory.resolve("client-b"));
        chain.restartBroker();
        try (HawserClient client = chain.client("a")) {
            get(client.pending().get(0).brokered());
        }
        chain.stopBroker();
        try (HawserClient client = chain.client("b")) {
            SentTransfer transfer = client.pending().get(0);
            CompletableFuture<TransferId> cancelled = transfer.cancel("changed my mind");
            chain.restartBroker();

            assertThat(get(cancelled)).isEqualTo(transfer.id());
            AgentB agent = chain.agentB("site-b", "site-b", into);
            get(client.send("site-b", "later", random(10)).delivered());
            agent.stop();
        }
        assertThat(into.resolve("later")).exists();
        assertThat(into.resolve("f")).doesNotExist();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (var all = Files.walk(from)) {
            for (Path each : (Iterable<Path>) all::iterator) {
                Files.copy(each, to.resolve(from.relativize(each).toString()));
            }
        }
    }

    @Test
    void senderThatIsFasterThanTheBrokerIsHeldBack() throws Exception {
        chain.stopBroker();
        try (HawserClient client =
                HawserClient.connect(chain.options("a").withLimits(new ClientOptions.Limits(1 << 20, 16, 3)))) {
            for (int i = 0; i < 3; i++) {
                client.send("site-b", "f" + i, random(10));
            }
            CompletableFuture<SentTransfer> fourth = CompletableFuture.supplyAsync(() -> {
                try {
                    return client.send("site-b", "f3", random(10));
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            await().during(Duration.ofMillis(300)).until(() -> !fourth.isDone());
            chain.restartBroker();
            get(get(fourth).brokered());
        }
    }

    @Test
    void whatIsClosedTwiceIsClosedOnce() throws Exception {
        HawserClient client = chain.client("a");
        client.close();

        assertThatCode(client::close).doesNotThrowAnyException();
    }

    @Test
    void streamThatBreaksIsNotPublished() throws Exception {
        InputStream gone = InputStream.nullInputStream();
        gone.close();
        InputStream broken = new SequenceInputStream(new ByteArrayInputStream(random(3 << 20)), gone);
        AgentB agent = chain.agentB("site-b", "site-b", into);
        try (HawserClient client = chain.client("a")) {
            assertThatThrownBy(() -> client.send("site-b", "broken", broken)).hasMessage("Stream closed");
            get(client.send("site-b", "whole", random(10)).delivered());
        } finally {
            agent.stop();
        }
        assertThat(into.resolve("broken")).doesNotExist();
    }

    @Test
    void objectIsOwedUntilTheApplicationAcksIt() throws Exception {
        byte[] content = random(200_000);
        try (HawserClient sender = chain.client("a")) {
            SentTransfer transfer = sender.send("jobs", "job-1", content);
            get(transfer.brokered());
            Queue<ReceivedObject> first = new ConcurrentLinkedQueue<>();
            try (HawserClient worker = chain.client("w");
                    Receiver receiver = worker.receive("jobs", "workers", first::add)) {
                get(receiver.subscribed());
                await().until(() -> first.size() == 1);
                assertThat(first.element().bytes()).isEqualTo(content);
            } // gone without an ack
            assertThat(transfer.delivered()).isNotDone();
            Queue<ReceivedObject> second = new ConcurrentLinkedQueue<>();
            try (HawserClient worker = chain.client("w");
                    Receiver receiver = worker.receive("jobs", "workers", second::add)) {
                get(receiver.subscribed());
                await().until(() -> second.size() == 1);
                assertThat(second.element().id()).isEqualTo(transfer.id());
                second.element().ack();
                get(transfer.delivered());
            }
            assertThat(second).hasSize(1);
        }
    }

    @Test
    void anAckBeforeTheCloseReachesTheSender() throws Exception {
        try (HawserClient sender = chain.client("a")) {
            SentTransfer transfer;
            CountDownLatch acked = new CountDownLatch(1);
            try (HawserClient worker = chain.client("w");
                    Receiver receiver = worker.receive("jobs", "workers", object -> {
                        object.ack();
                        acked.countDown();
                    })) {
                get(receiver.subscribed());
                transfer = sender.send("jobs", "job-1", random(100));
                acked.await();
            }
            get(transfer.delivered());
        }
    }

    @Test
    void whatIsPutOffIsHandedOverAgainAndWhatIsRejectedFails() throws Exception {
        Queue<ReceivedObject> received = new ConcurrentLinkedQueue<>();
        try (HawserClient sender = chain.client("a");
                HawserClient worker = chain.client("w");
                Receiver receiver = worker.receive("jobs", "workers", received::add)) {
            get(receiver.subscribed());
            SentTransfer transfer = sender.send("jobs", "job-1", random(100));
            await().until(() -> received.size() == 1);
            assertThat(received.element().isRepeated()).isFalse();

            received.remove().later("not now");
            await().until(() -> received.size() == 1);
            assertThat(received.element().isRepeated()).isTrue();
            assertThat(transfer.delivered()).isNotDone();

            received.remove().reject("nobody wants it");
            assertThatThrownBy(() -> get(transfer.delivered())).hasMessageContaining("nobody wants it");
        }
    }

    @Test
    void filesAreReceivedIntoADirectoryOfTheProgram() throws Exception {
        byte[] content = random(3 * (1 << 20) + 5);
        try (HawserClient sender = chain.client("a");
                HawserClient receiving = chain.client("r");
                Receiver receiver = receiving.receiveInto("site-r", "r", into)) {
            get(receiver.subscribed());
            get(sender.send("site-r", "sub/f", content).delivered());
        }
        assertThat(into.resolve("sub/f")).hasBinaryContent(content);
    }

    @Test
    void requestIsAnsweredByWhoeverSubscribes() throws Exception {
        try (HawserClient server = chain.client("s");
                HawserClient client = chain.client("c");
                Receiver answering = server.receive("echo", "echo-server", HawserClientIT::echo)) {
            get(answering.subscribed());
            byte[] reply =
                    get(client.request("echo", "greet", "anna".getBytes(StandardCharsets.UTF_8), TestTimes.LIMIT));
            assertThat(reply).asString(StandardCharsets.UTF_8).isEqualTo("hello anna");
        }
    }

    @Test
    void aClosedClientLeavesNoSubscriptionForRepliesBehind() throws Exception {
        try (HawserClient server = chain.client("b");
                Receiver answering = server.receive("echo", "echo-server", HawserClientIT::echo)) {
            get(answering.subscribed());
            try (HawserClient client = chain.client("a")) {
                get(client.request("echo", "greet", new byte[] {'a'}, TestTimes.LIMIT));
                assertThat(chain.subscriptions()).anyMatch(name -> name.startsWith("_reply."));
            }
            await().untilAsserted(() -> assertThat(chain.subscriptions()).containsExactly("echo-server"));
        }
        assertThat(chain.subscriptions()).containsExactly("echo-server");
    }

    private static void echo(ReceivedObject request) {
        try {
            String name = new String(request.bytes(), StandardCharsets.UTF_8);
            request.reply(("hello " + name).getBytes(StandardCharsets.UTF_8));
            request.ack();
        } catch (IOException e) {
            request.later("cannot answer now");
        }
    }

    @Test
    void requestThatNobodyAnswersFailsInTime() throws Exception {
        try (HawserClient client = chain.client("c")) {
            CompletableFuture<byte[]> reply = client.request("nobody", "ping", new byte[0], Duration.ofMillis(200));
            assertThatThrownBy(() -> get(reply)).hasMessageContaining("no reply");
        }
    }

    @Test
    void everySubscriptionGetsEveryTransfer() throws Exception {
        Path other = directory.resolve("other");
        AgentB one = chain.agentB("site-b", "one", into);
        AgentB two = chain.agentB("site-b", "two", other);
        byte[] content = random(5 * (1 << 20));
        try (HawserClient client = chain.client("a")) {
            await().until(() -> client.isConnected());
            // both subscriptions exist before the commit fixes the delivery set
            get(client.send("site-b", "probe-1", random(10)).delivered());
            List<DeliveryReceipt> receipts = get(client.send("site-b", "f", new ByteArrayInputStream(content))
                    .delivered());
            assertThat(receipts).extracting(DeliveryReceipt::subscription).containsExactlyInAnyOrder("one", "two");
        } finally {
            one.stop();
            two.stop();
        }
        assertThat(into.resolve("f")).hasBinaryContent(content);
        assertThat(other.resolve("f")).hasBinaryContent(content);
    }

    @Test
    void attributesTravelAlong() throws Exception {
        Queue<ReceivedObject> received = new ConcurrentLinkedQueue<>();
        try (HawserClient client = chain.client("a");
                Receiver receiver = client.receive("notes", "reader", received::add)) {
            get(receiver.subscribed());
            client.sendMessage("notes", "greeting", random(5), Map.of("x-colour", "blue"));
            await().until(() -> !received.isEmpty());
            assertThat(received.element().attributes()).containsEntry("x-colour", "blue");
            received.element().ack();
        }
    }
}
