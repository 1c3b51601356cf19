package io.hawser.it.chaos;

import io.hawser.client.ClientOptions;
import io.hawser.client.DeliveryReceipt;
import io.hawser.client.HawserClient;
import io.hawser.client.HawserException;
import io.hawser.client.SentTransfer;
import io.hawser.it.ledger.Ledger;
import io.hawser.ops.cli.AgentFlags;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A Java program that sends objects, many at once, and learns when each is spooled, brokered and delivered. */
final class ApiPublisher extends Publisher implements AutoCloseable {
    private static final int AT_ONCE = 200;

    private final HawserClient client;
    private final Semaphore room = new Semaphore(AT_ONCE);
    /** What is not told to be delivered. */
    private final Set<SentTransfer> open = ConcurrentHashMap.newKeySet();

    private final AtomicInteger sending = new AtomicInteger();
    private final AtomicLong receipts = new AtomicLong();

    ApiPublisher(String name, RunParts run, SplittableRandom random, String broker) throws IOException {
        super(name, run.settings().pace(), run, random);
        List<String> brokers = List.of(broker.split(","));
        client = HawserClient.connect(ClientOptions.of(brokers.get(0))
                .withBrokers(brokers)
                .withStreams(AgentFlags.STREAMS.parser().apply(settings.streams()))
                .withState(settings.directory().resolve(name)));
    }

    /** What it has sent and what has not come to its end, with the reason. Asks the client's loop, and so may wait for ever. */
    List<String> openTransfers() throws IOException {
        List<String> all = new ArrayList<>();
        all.add(name + ": " + sending.get() + " being handed over, " + open.size()
                + " not delivered, of which the client has " + client.pending().size());
        for (SentTransfer transfer : open) {
            all.add(name + ": " + transfer.name() + ": spooled "
                    + transfer.spooled().isDone() + ", brokered "
                    + transfer.brokered().isDone() + ", landed "
                    + transfer.landed().isDone() + ", delivered "
                    + transfer.delivered().isDone() + ": " + transfer.problem());
        }
        return all;
    }

    /** Receipts of delivery that came back. */
    long receipts() {
        return receipts.get();
    }

    @Override
    boolean isDone() {
        return super.isDone() && isIdle();
    }

    /** Whether all that it has sent is delivered. */
    boolean isIdle() {
        return sending.get() == 0 && open.isEmpty();
    }

    @Override
    void once() throws Exception {
        // One that is full waits for receipts; while it waits it must be able to stop.
        if (!room.tryAcquire(200, TimeUnit.MILLISECONDS)) {
            return;
        }
        String path = nextPath();
        byte[] content = nextContent(path);
        Ledger.Version version = ledger.version(path, content);
        sending.incrementAndGet();
        ledger.attempt(version);
        doing = "sending " + version.path;
        SentTransfer transfer = random.nextBoolean()
                ? client.send(Deployment.TOPIC, version.path, content)
                : client.send(Deployment.TOPIC, version.path, new ByteArrayInputStream(content));
        follow(transfer, version);
        sending.decrementAndGet();
        doing = "nothing";
    }

    private void follow(SentTransfer transfer, Ledger.Version version) {
        open.add(transfer);
        watch(transfer.spooled().thenAccept(key -> ledger.acked(version)));
        watch(transfer.brokered().thenAccept(key -> pulse.beat("broker")));
        watch(transfer.delivered().handle((all, failure) -> {
            room.release();
            open.remove(transfer);
            if (failure != null) {
                violations.add("lost", version.path + " was refused or failed: " + failure);
            } else {
                check(version, all);
            }
            return version;
        }));
    }

    /** What goes wrong in a step of one's own would be told to nobody. */
    private void watch(CompletableFuture<?> step) {
        var unused = step.exceptionally(why -> {
            if (!(why instanceof CompletionException && why.getCause() instanceof HawserException)) {
                violations.ended(Thread.currentThread(), why);
            }
            return null;
        });
    }

    private void check(Ledger.Version version, List<DeliveryReceipt> all) {
        receipts.addAndGet(all.size());
        List<String> from =
                all.stream().map(DeliveryReceipt::subscription).sorted().toList();
        if (!from.equals(Deployment.SUBSCRIPTIONS)) {
            violations.add("receipts", version.path + " has receipts of " + from);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
