package io.hawser.release.drill;

import io.hawser.client.ClientOptions;
import io.hawser.client.HawserClient;
import io.hawser.client.HawserException;
import io.hawser.client.SentTransfer;
import io.hawser.ops.cli.Errors;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A Java program that sends canaries, some at once, and is told of each when it is delivered.
 *
 * <p>Thread: its own, and the client's, on which it is told.
 */
final class ApiSender extends Sender implements AutoCloseable {
    private static final int AT_ONCE = 8;
    private static final long ROOM_MILLIS = 200;

    private final ApiAccess access;
    private final HawserClient client;
    private final Complaints complaints;
    private final Semaphore room = new Semaphore(AT_ONCE);

    /** @param state where its journal is kept */
    ApiSender(
            ApiAccess access,
            Path state,
            Ledger ledger,
            CanaryNames names,
            Duration gap,
            int atMost,
            Complaints complaints)
            throws IOException {
        super("drill-api", ledger, names, gap, atMost);
        this.access = access;
        this.complaints = complaints;
        client = HawserClient.connect(
                ClientOptions.of(access.broker().toString()).withState(state).withTls(access.tls()));
    }

    @Override
    boolean once() throws IOException, InterruptedException {
        if (!room.tryAcquire(ROOM_MILLIS, TimeUnit.MILLISECONDS)) {
            return false;
        }
        Canary canary = names.next(Way.API);
        ledger.begun(canary, System.nanoTime());
        try {
            follow(client.send(access.topic(), canary.name(), canary.content()), canary.name());
            return true;
        } catch (HawserException e) {
            room.release();
            ledger.refused(canary.name(), Errors.sentence(e));
            return true;
        }
    }

    private void follow(SentTransfer transfer, String name) {
        var unused = transfer.spooled().thenAccept(key -> ledger.accepted(name, ""));
        var unused2 = transfer.delivered().whenComplete((receipts, failure) -> {
            room.release();
            if (failure == null) {
                ledger.reported(name);
            } else {
                ledger.accepted(name, "");
                ledger.lost(name, "failed: " + Errors.sentence(failure));
            }
        });
    }

    @Override
    void failed(IOException cause) {
        complaints.add("the API sender ended: " + Errors.sentence(cause));
    }

    @Override
    public void close() {
        client.close();
    }
}
