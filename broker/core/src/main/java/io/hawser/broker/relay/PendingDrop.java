package io.hawser.broker.relay;

import io.hawser.core.model.Receipt;
import java.util.ArrayList;
import java.util.List;

/**
 * A transfer that a subscription gives up, and the operators that wait for what comes of it. One that is overdue has no such operator.
 *
 * <p>Thread: the relay's loop.
 */
final class PendingDrop {
    final Receipt receipt;
    private final List<Listener> listeners = new ArrayList<>();

    private PendingDrop(Receipt receipt) {
        this.receipt = receipt;
    }

    /** What comes of it at one subscription: {@link #expired} or {@link #kept} at last. */
    interface Listener {
        /** Its consumer has been told to drop it, and may have all of it; the answer may never come. */
        void asked();

        /** The receipt is durable: the subscription is no longer owed it. */
        void expired();

        /** It is not given up; {@code reason} is a clause. */
        void kept(String reason);
    }

    static PendingDrop overdue(Receipt receipt) {
        return new PendingDrop(receipt);
    }

    static PendingDrop byOperator(Receipt receipt, Listener listener) {
        PendingDrop pending = new PendingDrop(receipt);
        pending.listeners.add(listener);
        return pending;
    }

    /** The same, with those who wait for an earlier one of the transfer. */
    void join(PendingDrop earlier) {
        listeners.addAll(earlier.listeners);
    }

    /** Whether an operator asked for it: nobody asks again when the consumer is gone before it answers. */
    boolean isByOperator() {
        return !listeners.isEmpty();
    }

    void asked() {
        listeners.forEach(Listener::asked);
    }

    void expired() {
        listeners.forEach(Listener::expired);
    }

    void kept(String reason) {
        listeners.forEach(each -> each.kept(reason));
    }
}
