package io.hawser.client;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKind;
import io.hawser.store.landing.DeliveryOutcome;
import io.hawser.store.landing.DeliveryTarget;
import io.hawser.store.landing.VerifiedObject;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes verified objects to a program's handler, one at a time, on the handler's thread.
 *
 * @param settled counts objects that the handler settled for good
 */
record ApplicationTarget(
        HawserClient client,
        ReceivedObject.Opener opener,
        Executor handlerThread,
        Consumer<ReceivedObject> handler,
        AtomicInteger settled)
        implements DeliveryTarget {
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationTarget.class);

    @Override
    public @Nullable Refusal check(Manifest manifest) {
        return manifest.kind() == TransferKind.PATCH
                ? new Refusal(ErrorCode.NOT_ALLOWED, "This destination is a program, which takes only whole objects.")
                : null;
    }

    @Override
    public boolean takesFile() {
        return false;
    }

    @Override
    public void deliver(List<VerifiedObject> objects, Consumer<DeliveryOutcome> results) {
        for (VerifiedObject object : objects) {
            ReceivedObject received = new ReceivedObject(client, object, opener, delivery -> {
                if (!(delivery instanceof DeliveryOutcome.Later)) {
                    settled.incrementAndGet();
                }
                results.accept(delivery);
            });
            handlerThread.execute(() -> handle(received));
        }
    }

    private void handle(ReceivedObject received) {
        try {
            handler.accept(received);
        } catch (RuntimeException e) {
            LOG.atWarn()
                    .setCause(e)
                    .addKeyValue("transfer", received.id())
                    .log("The handler failed on a received object; the object comes again");
            received.later("the handler failed: " + e);
        }
    }
}
