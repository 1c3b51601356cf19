package io.hawser.it.sim;

import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.HopSender;
import io.hawser.core.model.NodeId;
import org.jspecify.annotations.Nullable;

/** A node that dials the broker, and dials again. */
abstract class SimClient extends SimNode {
    @Nullable
    SimSession session;

    private boolean dialling;
    private boolean cutOff;

    SimClient(SimChain chain, String name, NodeId id) {
        super(chain, name, id);
    }

    /** Dials until there is a session. */
    final void dial() {
        if (dialling || session != null || cutOff) {
            return;
        }
        dialling = true;
        post((5 + chain.random.nextInt(100)) * Plan.MILLIS, () -> {
            dialling = false;
            if (session == null && isReady() && !cutOff) {
                if (chain.broker.up && chain.broker.isReady() && !chain.broker.isStopped()) {
                    session = SimSession.establish(this, chain.broker);
                } else {
                    dial();
                }
            }
        });
    }

    /** The network to it is gone for good; it lives on. */
    final void cutOff() {
        cutOff = true;
        SimSession current = session;
        if (current != null) {
            current.lose(false);
        }
    }

    /** There is a network again. */
    final void reconnect() {
        cutOff = false;
        if (up && isReady()) {
            dial();
        }
    }

    /** The session's end is known here. */
    final void lost(SimSession gone) {
        if (session == gone) {
            session = null;
            sessionDown(gone);
            dial();
        }
    }

    /** The process ends: the other side finds out later. */
    final void dropSession() {
        dialling = false;
        SimSession current = session;
        session = null;
        if (current != null) {
            current.clientDied();
        }
    }

    abstract void sessionUp(SimSession opened);

    abstract void sessionDown(SimSession gone);

    /** A message of the hop arrived at this node. */
    abstract void hear(HopMessage message);

    /** What sends on the data streams, if this node does. */
    abstract @Nullable HopSender sending();
}
