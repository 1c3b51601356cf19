package io.hawser.client;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKind;
import io.hawser.store.landing.Delivery;
import io.hawser.store.landing.DeliveryTarget;
import io.hawser.store.landing.VerifiedObject;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands verified objects to an application, one at a time on its own thread. */
final class ApplicationTarget implements DeliveryTarget {
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationTarget.class);

    private final HawserClient client;
    private final ReceivedObject.Opener opener;
    private final Executor thread;
    private final Consumer<ReceivedObject> handler;

    ApplicationTarget(
            HawserClient client, ReceivedObject.Opener opener, Executor thread, Consumer<ReceivedObject> handler) {
        this.client = client;
        this.opener = opener;
        this.thread = thread;
        this.handler = handler;
    }

    @Override
    public @Nullable Refusal check(Manifest manifest) {
        return manifest.kind() == TransferKind.PATCH
                ? new Refusal(ErrorCode.NOT_ALLOWED, "This destination is an application, which takes whole objects.")
                : null;
    }

    @Override
    public boolean takesFile() {
        return false;
    }

    @Override
    public void deliver(List<VerifiedObject> objects, Consumer<Delivery> results) {
        for (VerifiedObject object : objects) {
            ReceivedObject received = new ReceivedObject(client, object, opener, results);
            thread.execute(() -> handOver(received));
        }
    }

    private void handOver(ReceivedObject received) {
        try {
            handler.accept(received);
        } catch (RuntimeException e) {
            LOG.atWarn()
                    .setCause(e)
                    .addKeyValue("transfer", received.key())
                    .log("the application failed on an object; it is handed over again");
            received.later("the application failed: " + e);
        }
    }
}
