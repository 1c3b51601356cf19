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
 * Keeps a node connected to its broker: dials, joins the node's hops to the session, and dials again after each loss, with
 * back-off. Hop 0 publishes; the others are subscriptions.
 *
 * <p>Thread: all methods on the loop.
 */
public final class BrokerConnection implements HopSession.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerConnection.class);
    private static final int PUBLISHING_HOP = 0;
    private static final long TICK_MILLIS = 100;
    private static final long RESUBSCRIBE_MILLIS = 500;

    /** What the node hears. */
    public interface Listener {
        /** A session with the broker is up. */
        void onConnected();

        /** There is no session; it is tried again by itself. {@code reason} is a sentence for a user. */
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
    private Supplier<?> terms = () -> "";
    private Object termsOfSession = "";
    private Runnable whenOver = () -> {};
    private Runnable giveUpDial = () -> {};

    /**
     * Creates a connection that does not dial yet.
     *
     * @param greeting what this node says of itself in its n-th session
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

    /** What this sender has is published to the broker. Before {@link #start}. */
    public void publish(HopSender newSender) {
        sender = newSender;
    }

    /** What asks, or answers, on the sessions with the broker. Before {@link #start}. */
    public void calls(CallHandler handler) {
        calls = handler;
    }

    /**
     * What the broker learns of this node at a session's beginning only: the rights in its certificate. When it changes, the session ends in
     * order and another one begins. Before {@link #start}.
     */
    public void terms(Supplier<?> current) {
        terms = current;
    }

    /** Adds a subscription, now and in each later session. */
    public void subscribe(SubscriptionHop hop) {
        int number = nextHop++;
        subscriptions.put(number, hop);
        if (session != null) {
            hop.begin(session, number);
        }
    }

    /** Takes a subscription's hop off: what still comes on it has no effect. The subscription stays at the broker. */
    public void unsubscribe(SubscriptionHop hop) {
        takeOff(hop, SessionMessage.Leave::new);
    }

    /** The same of the subscription to this node's replies, which ends. Without a session the broker ends it after a day. */
    public void endReplies(SubscriptionHop hop) {
        takeOff(hop, SessionMessage.Unsubscribe::new);
    }

    private void takeOff(SubscriptionHop hop, IntFunction<SessionMessage> farewell) {
        subscriptions.entrySet().removeIf(entry -> {
            boolean same = entry.getValue() == hop;
            if (same && session != null) {
                session.detach(entry.getKey());
                session.send(farewell.apply(entry.getKey()));
            }
            return same;
        });
    }

    /** Dials for the first time. */
    public void start() {
        ticks = loop.scheduleAtFixedRate(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
        dial();
    }

    /** Ends the session in order and dials no more; {@code over} runs when there is no session any more. */
    public void close(Runnable over) {
        closed = true;
        if (ticks != null) {
            ticks.cancel(false);
        }
        if (session != null) {
            whenOver = over;
            session.session().close("the node is stopping");
        } else {
            giveUpDial.run();
            over.run();
        }
    }

    /** Whether a session is up. */
    public boolean isConnected() {
        return session != null;
    }

    private void dial() {
        if (!closed) {
            termsOfSession = terms.get();
            byte[] hello = greeting.apply(sessions++).encode();
            giveUpDial = dialler.dial(hello, new HopSession(pool, this), this::onDialFailed);
        }
    }

    private void onDialFailed(PtcpException cause) {
        lost(cause);
    }

    private void lost(PtcpException cause) {
        if (closed) {
            return;
        }
        if (failures == 0) {
            LOG.atWarn().addKeyValue("reason", cause.getMessage()).log("no session with the broker; trying again");
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
        LOG.atInfo().addKeyValue("broker", opened.session().remoteAddress()).log("session with the broker is up");
        listener.onConnected();
    }

    @Override
    public void onMessage(HopSession from, SessionMessage message) {
        SubscriptionHop hop = subscriptions.get(message.hop());
        if (hop == null) {
            return;
        }
        if (message instanceof SessionMessage.Subscribed) {
            hop.subscribed();
        } else if (message instanceof SessionMessage.NotServing not) {
            hop.notServing(not.refusal());
        } else if (message instanceof SessionMessage.NotSubscribed not) {
            hop.refused(not.refusal());
            if (not.refusal().code().retriable()) {
                var unused = loop.schedule(
                        () -> {
                            if (session == from) {
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
        whenOver.run();
    }

    /** A periodic task that throws would never run again. */
    private void tick() {
        try {
            tellTime();
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("A tick failed; the next one follows");
        }
    }

    private void tellTime() {
        HopSender publishing = sender;
        if (publishing != null) {
            publishing.tick(System.nanoTime());
        }
        if (session != null && !terms.get().equals(termsOfSession)) {
            LOG.atInfo().log("the certificate gives other rights now: a new session with the broker");
            termsOfSession = terms.get();
            session.session().close("the node's certificate gives other rights now");
        }
        if (session != null) {
            session.tick();
        }
        if (calls != null) {
            calls.tick(System.nanoTime());
        }
    }
}
