package io.hawser.broker.relay;

import io.hawser.core.hop.HopLink;
import io.hawser.core.hop.HopMessage;
import java.util.ArrayList;
import java.util.List;

/** A link that remembers what was sent. Thread: the test's. */
public class SentOn implements HopLink {
    final List<HopMessage> messages = new ArrayList<>();

    @Override
    public void send(HopMessage message) {
        messages.add(message);
    }

    @Override
    public void wake() {
        // The test asks the sender itself, if it wants packets.
    }

    @Override
    public void probe(Runnable then) {
        throw new AssertionError("no stream is lost here, and nothing lags");
    }

    @Override
    public void end(String reason) {
        throw new AssertionError("nobody breaks rules here: " + reason);
    }

    @Override
    public int streams() {
        return 1;
    }

    boolean has(Class<? extends HopMessage> kind) {
        return messages.stream().anyMatch(kind::isInstance);
    }
}
