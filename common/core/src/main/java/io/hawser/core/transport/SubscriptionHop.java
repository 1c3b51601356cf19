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
import io.hawser.core.remote.ServingMode;
import io.hawser.core.wire.SessionMessage;
import java.util.Collection;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The consumer's end of one subscription over all sessions: subscribes again in each, receives into its store, and sends the receipts that
 * the store keeps.
 *
 * <p>Thread: the connection's loop.
 */
public final class SubscriptionHop {
    /** Learns of the subscription's changes. Called on the connection's loop. */
    public interface Listener {
        /** The broker has connected the subscription and sends its transfers. */
        void onSubscribed();

        /** The broker refuses the subscription. If the refusal is retriable, the hop subscribes again. */
        void onRefused(Refusal refusal);

        /** The subscription is connected, but another node answers the remote calls about the topic's files. */
        default void onNotServing(Refusal refusal) {}
    }

    /**
     * @param name the subscription
     * @param topic its topic
     * @param startAt where it starts if it is new
     * @param ackLevel what an ack of the store guarantees
     * @param serving whether this node answers remote calls about the topic's files
     * @param terms its delivery settings
     */
    public record Request(
            String name,
            Topic topic,
            StartAt startAt,
            AckLevel ackLevel,
            ServingMode serving,
            SubscriptionTerms terms) {
        /** The same without remote calls and without terms. */
        public Request(String name, Topic topic, StartAt startAt, AckLevel ackLevel) {
            this(name, topic, startAt, ackLevel, ServingMode.NONE, SubscriptionTerms.NONE);
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
    /** The broker has been asked in this session, and has not refused. */
    private boolean begun;

    /**
     * Creates the hop; it does nothing until {@link BrokerConnection#subscribe}.
     *
     * @param pendingReceipts receipts that the broker has not acked, read in each session
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

    /** Counts what the broker sent. */
    public ReceiveMeter meter() {
        return meter;
    }

    /** Sends a new receipt of the store, or leaves it to the next session if there is none. */
    public void receipt(Receipt receipt) {
        HopReceiver current = receiver;
        if (current != null) {
            current.receipt(receipt);
        }
    }

    /** Attaches the receiver and subscribes. The receiver must be there before the broker's first packet. */
    void begin(HopSession session, int hop) {
        HopReceiver fresh = new HopReceiver(
                store, pool, session.link(hop), key -> true, windowBytes, meter, SenderAllowance.UNLIMITED);
        receiver = fresh;
        begun = true;
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

    /** Returns whether that is news: while the hop waits to subscribe again, nothing of it can be refused. */
    boolean refused(Refusal refusal) {
        boolean news = begun;
        begun = false;
        if (news) {
            listener.onRefused(refusal);
        }
        return news;
    }

    void notServing(Refusal refusal) {
        listener.onNotServing(refusal);
    }

    void sessionLost() {
        begun = false;
        receiver = null;
    }
}
