package io.hawser.release.drill;

import io.hawser.client.ClientOptions;
import io.hawser.client.HawserClient;
import io.hawser.client.HawserException;
import io.hawser.client.SentTransfer;
import io.hawser.ops.cli.Errors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A Java program that sends canaries, some at once, and is told of each when it is delivered.
 *
 * <p>Thread: its own, and the client's, on which it is told.
 */
final class ApiSender extends Sender {
    private static final int AT_ONCE = 8;
    private static final long ROOM_MILLIS = 200;

    private final ApiAccess access;
    private final HawserClient client;
    private final Semaphore room = new Semaphore(AT_ONCE);

    /** @param state where its journal is kept */
    ApiSender(ApiAccess access, Path state, Terms terms) throws IOException {
        super("api", terms);
        this.access = access;
        client = HawserClient.connect(
                ClientOptions.of(access.broker().toString()).withState(state).withTls(access.tls()));
    }

    @Override
    boolean once() throws IOException, InterruptedException {
        if (!room.tryAcquire(ROOM_MILLIS, TimeUnit.MILLISECONDS)) {
            return false;
        }
        Canary canary = terms.names().next(CanaryRoute.API);
        terms.ledger().begun(canary, System.nanoTime());
        try {
            follow(client.send(access.topic(), canary.name(), canary.content()), canary.name());
            return true;
        } catch (HawserException e) {
            room.release();
            terms.ledger().refused(canary.name(), Errors.sentence(e));
            return true;
        }
    }

    private void follow(SentTransfer transfer, String name) {
        CanaryLedger ledger = terms.ledger();
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
    public void close() {
        client.close();
    }

    @Override
    public String toString() {
        return "the API sender";
    }
}
