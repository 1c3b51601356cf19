package io.hawser.core.transport;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.HopSender;
import io.hawser.core.model.RetryPolicy;
import io.hawser.core.remote.CallHandler;
import io.hawser.core.wire.Greeting;
import io.hawser.core.wire.SessionMessage;
import io.hawser.ptcp.PtcpException;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a node connected to its broker: dials, attaches the node's hops to the session, and dials again after each loss, with back-off.
 * Hop 0 publishes; the others are subscriptions.
 *
 * <p>Thread: all methods on the loop.
 */
public final class BrokerConnection implements HopSession.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerConnection.class);
    private static final int PUBLISHING_HOP = 0;
    private static final long TICK_MILLIS = 100;
    private static final long RESUBSCRIBE_MILLIS = 500;

    /** Learns of the connection's changes. Called on the loop. */
    public interface Listener {
        /** A session with the broker is up. */
        void onConnected();

        /** There is no session; the connection dials again by itself. {@code reason} is a sentence for a user. */
        void onDisconnected(String reason);
    }

    private final SessionDialler dialler;
    private final LongFunction<Greeting> greeting;
    private final EventLoop loop;
    private final FragmentBufferPool pool;
    private final RetryPolicy retry;
    private final Listener listener;
    private final Map<Integer, SubscriptionHop> subscriptions = new HashMap<>();
    private int nextHop = PUBLISHING_HOP + 1;
    private @Nullable HopSender sender;
    private @Nullable CallHandler calls;
    private @Nullable HopSession session;
    private @Nullable ScheduledFuture<?> ticks;
    private int failures;
    private long sessions;
    private boolean closed;
    private Supplier<?> rights = () -> "";
    private Object sessionRights = "";
    private Runnable afterClose = () -> {};
    private Runnable cancelDial = () -> {};

    /**
     * Creates a connection that does not dial yet.
     *
     * @param greeting the greeting of this node's n-th session
     */
    public BrokerConnection(
            SessionDialler dialler,
            LongFunction<Greeting> greeting,
            EventLoop loop,
            FragmentBufferPool pool,
            RetryPolicy retry,
            Listener listener) {
        this.dialler = dialler;
        this.greeting = greeting;
        this.loop = loop;
        this.pool = pool;
        this.retry = retry;
        this.listener = listener;
    }

    /** Sets the sender that publishes to the broker. To be called before {@link #start}. */
    public void publish(HopSender newSender) {
        sender = newSender;
    }

    /** Sets the handler of remote calls on the sessions with the broker. To be called before {@link #start}. */
    public void calls(CallHandler handler) {
        calls = handler;
    }

    /**
     * Sets the source of the rights in this node's certificate, which the broker reads only when a session starts. When they change, the session
     * is closed and another one opened. To be called before {@link #start}.
     */
    public void rights(Supplier<?> current) {
        rights = current;
    }

    /** Adds a subscription, now and in each later session. */
    public void subscribe(SubscriptionHop hop) {
        assert loop.inEventLoop();
        int number = nextHop++;
        subscriptions.put(number, hop);
        if (session != null) {
            hop.begin(session, number);
        }
    }

    /** Detaches a subscription's hop: later packets on it have no effect. The subscription stays at the broker. */
    public void unsubscribe(SubscriptionHop hop) {
        remove(hop, SessionMessage.Leave::new);
    }

    /** Ends the subscription to this node's replies. Without a session the broker ends it after a day. */
    public void endReplies(SubscriptionHop hop) {
        remove(hop, SessionMessage.Unsubscribe::new);
    }

    private void remove(SubscriptionHop hop, IntFunction<SessionMessage> lastMessage) {
        assert loop.inEventLoop();
        subscriptions.entrySet().removeIf(entry -> {
            boolean same = entry.getValue() == hop;
            if (same && session != null) {
                session.detach(entry.getKey());
                session.send(lastMessage.apply(entry.getKey()));
            }
            return same;
        });
    }

    /** Dials for the first time. */
    public void start() {
        assert loop.inEventLoop();
        ticks = loop.scheduleAtFixedRate(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
        dial();
    }

    /** Closes the session and dials no more; {@code closedSession} runs when there is no session any more. */
    public void close(Runnable closedSession) {
        assert loop.inEventLoop();
        closed = true;
        if (ticks != null) {
            ticks.cancel(false);
        }
        if (session != null) {
            afterClose = closedSession;
            session.session().close("the node is stopping");
        } else {
            cancelDial.run();
            closedSession.run();
        }
    }

    private void dial() {
        if (!closed) {
            sessionRights = rights.get();
            byte[] hello = greeting.apply(sessions++).encode();
            cancelDial = dialler.dial(hello, new HopSession(pool, this), this::lost);
        }
    }

    private void lost(PtcpException cause) {
        assert loop.inEventLoop();
        if (closed) {
            return;
        }
        if (failures == 0) {
            LOG.atWarn().addKeyValue("reason", cause.getMessage()).log("No session with the broker; dialling again");
        }
        listener.onDisconnected(String.valueOf(cause.getMessage()));
        failures++;
        long delayMillis = retry.delayAfter(
                        failures, ThreadLocalRandom.current().nextDouble())
                .toMillis();
        var unused = loop.schedule(this::dial, delayMillis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void onOpen(HopSession opened) {
        assert loop.inEventLoop();
        if (closed) {
            opened.session().close("the node is stopping");
            return;
        }
        failures = 0;
        session = opened;
        if (calls != null) {
            opened.attach(calls);
        }
        HopSender publishing = sender;
        if (publishing != null) {
            opened.attach(PUBLISHING_HOP, publishing);
            publishing.linkUp(opened.link(PUBLISHING_HOP));
        }
        subscriptions.forEach((number, hop) -> hop.begin(opened, number));
        LOG.atInfo().addKeyValue("broker", opened.session().remoteAddress()).log("The session with the broker is up");
        listener.onConnected();
    }

    @Override
    public void onMessage(HopSession from, SessionMessage message) {
        assert loop.inEventLoop();
        SubscriptionHop hop = subscriptions.get(message.hop());
        if (hop == null) {
            return;
        }
        if (message instanceof SessionMessage.Subscribed) {
            hop.subscribed();
        } else if (message instanceof SessionMessage.NotServing not) {
            hop.notServing(not.refusal());
        } else if (message instanceof SessionMessage.NotSubscribed not) {
            if (hop.refused(not.refusal()) && not.refusal().code().retriable()) {
                var unused = loop.schedule(
                        () -> {
                            if (session == from && subscriptions.get(message.hop()) == hop) {
                                hop.begin(from, message.hop());
                            }
                        },
                        RESUBSCRIBE_MILLIS,
                        TimeUnit.MILLISECONDS);
            }
        }
    }

    @Override
    public void onClosed(HopSession gone, PtcpException cause) {
        assert loop.inEventLoop();
        if (session != gone) {
            return;
        }
        session = null;
        HopSender publishing = sender;
        if (publishing != null) {
            publishing.linkDown();
        }
        subscriptions.values().forEach(SubscriptionHop::sessionLost);
        lost(cause);
        afterClose.run();
    }

    /** A periodic task that throws would never run again. */
    private void tick() {
        try {
            tickAll();
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("A tick failed; the next one follows");
        }
    }

    private void tickAll() {
        HopSender publishing = sender;
        if (publishing != null) {
            publishing.tick(System.nanoTime());
        }
        Object now = rights.get(); // also without a session: so keys that change are known before the next dial
        if (session != null && !now.equals(sessionRights)) {
            LOG.atInfo().log("The rights in the certificate changed; opening a new session with the broker");
            sessionRights = now;
            session.session().close("the rights in the node's certificate changed");
        }
        if (session != null) {
            session.tick();
        }
        if (calls != null) {
            calls.tick(System.nanoTime());
        }
    }
}
