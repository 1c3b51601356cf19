package io.hawser.core.transport;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.HopReceiver;
import io.hawser.core.hop.ReceiveMeter;
import io.hawser.core.hop.ReceiverStore;
import io.hawser.core.hop.Refusal;
import io.hawser.core.hop.SenderAllowance;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.SubscriptionTerms;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.Serving;
import io.hawser.core.wire.SessionMessage;
import java.util.Collection;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The consumer's end of one subscription, across sessions: subscribes again in each, receives into its store, and sends the receipts
 * that the store keeps.
 *
 * <p>Thread: the connection's loop.
 */
public final class SubscriptionHop {
    /** What the consumer hears. */
    public interface Listener {
        /** The broker has connected the subscription: transfers come. */
        void onSubscribed();

        /** The broker does not give the subscription to this node. If it may pass, it is asked for again. */
        void onRefused(Refusal refusal);

        /** The subscription is connected, but the broker lets others answer questions about the topic's files. */
        default void onNotServing(Refusal refusal) {}
    }

    /**
     * What to subscribe to.
     *
     * @param name the subscription
     * @param topic its topic
     * @param startAt where it starts if it is new
     * @param ackLevel what the store's answers mean
     * @param serving whether this node answers calls about the topic's files
     * @param terms on which it has the subscription
     */
    public record Request(
            String name, Topic topic, StartAt startAt, AckLevel ackLevel, Serving serving, SubscriptionTerms terms) {
        /** One that has nothing to do with calls, without terms. */
        public Request(String name, Topic topic, StartAt startAt, AckLevel ackLevel) {
            this(name, topic, startAt, ackLevel, Serving.NONE, SubscriptionTerms.NONE);
        }
    }

    private final Request request;
    private final ReceiverStore store;
    private final FragmentBufferPool pool;
    private final Supplier<? extends Collection<Receipt>> pendingReceipts;
    private final Listener listener;
    private final long windowBytes;
    private final ReceiveMeter meter = new ReceiveMeter();
    private @Nullable HopReceiver receiver;

    /**
     * Creates the hop; it does nothing until it is given to a {@link BrokerConnection}.
     *
     * @param pendingReceipts receipts that the broker has not acknowledged, asked for in each session
     * @param windowBytes credit for the broker
     */
    public SubscriptionHop(
            Request request,
            ReceiverStore store,
            FragmentBufferPool pool,
            Supplier<? extends Collection<Receipt>> pendingReceipts,
            long windowBytes,
            Listener listener) {
        this.request = request;
        this.store = store;
        this.pool = pool;
        this.pendingReceipts = pendingReceipts;
        this.windowBytes = windowBytes;
        this.listener = listener;
    }

    /** What it subscribes to. */
    public Request request() {
        return request;
    }

    /** The store has a new receipt: it is sent if there is a session, and otherwise with the next. */
    public void receipt(Receipt receipt) {
        HopReceiver current = receiver;
        if (current != null) {
            current.receipt(receipt);
        }
    }

    /** What came, through all sessions. */
    public ReceiveMeter meter() {
        return meter;
    }

    /** The credit that the broker gets. */
    public long windowBytes() {
        return windowBytes;
    }

    /** The receiver of the session that is up, or null. */
    public @Nullable HopReceiver receiver() {
        return receiver;
    }

    /** The receiver must be there before the broker's first packet: it is attached when the subscription is asked for. */
    void begin(HopSession session, int hop) {
        HopReceiver fresh = new HopReceiver(
                store, pool, session.link(hop), key -> true, windowBytes, meter, SenderAllowance.UNLIMITED);
        receiver = fresh;
        session.attach(hop, fresh);
        session.send(new SessionMessage.Subscribe(
                hop,
                request.name(),
                request.topic(),
                request.startAt(),
                request.ackLevel(),
                request.serving(),
                request.terms().toMap()));
    }

    void subscribed() {
        HopReceiver current = receiver;
        if (current != null) {
            pendingReceipts.get().forEach(current::receipt);
        }
        listener.onSubscribed();
    }

    void refused(Refusal refusal) {
        listener.onRefused(refusal);
    }

    void notServing(Refusal refusal) {
        listener.onNotServing(refusal);
    }

    void sessionLost() {
        receiver = null;
    }
}
