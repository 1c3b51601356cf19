package io.hawser.broker.session;

import io.hawser.broker.relay.PublishRights;
import io.hawser.broker.relay.Subscriptions;
import io.hawser.core.access.Access;
import io.hawser.core.access.Right;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.remote.Question;
import io.hawser.ops.audit.Audit;
import java.net.SocketAddress;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks the rights of one session's peer, and words the refusals. What it is refused does not depend on whether there is such a
 * topic. The first use of each right on each topic in a session is noted, and each refusal.
 *
 * <p>Thread: the relay's loop.
 */
final class SessionRights implements PublishRights {
    private record Use(Right right, Topic topic) {}

    private static final int NOTED_LIMIT = 1000;
    private static final String NO_RIGHT = "no right";

    private final Access access;
    private final NodeId node;
    private final SocketAddress from;
    private final Audit audit;
    private final Set<Use> noted = new HashSet<>();

    SessionRights(Access access, NodeId node, SocketAddress from, Audit audit) {
        this.access = access;
        this.node = node;
        this.from = from;
        this.audit = audit;
    }

    /** The rights as of the session's start; their sources may have changed since. */
    Access access() {
        return access;
    }

    @Override
    public @Nullable Refusal whyNot(Manifest manifest) {
        return switch (manifest.kind()) {
            case DELETE, REMOVE_DIRECTORY -> whyNot(Right.DELETE, manifest.topic());
            default -> whyNot(Right.PUBLISH, manifest.topic());
        };
    }

    @Override
    public boolean mayCancelSomewhere() {
        return access.grants().allowSomewhere(Right.CANCEL);
    }

    @Override
    public @Nullable Refusal whyNotCancel(TransferKey key, @Nullable Topic topic) {
        if (topic != null && access.allows(Right.CANCEL, topic, node)) {
            note(Right.CANCEL.word(), key.toString(), Audit.OK);
            return null;
        }
        note(Right.CANCEL.word(), key.toString(), NO_RIGHT);
        return new Refusal(
                ErrorCode.NOT_ALLOWED,
                peer() + " has no right to cancel transfer " + key + ", which another node publishes; the broker's"
                        + " operator gives the right 'cancel' in its --acl file");
    }

    @Override
    public String peer() {
        return access.peer().isKnown() ? access.peer().text() : "node " + node;
    }

    @Override
    public void notItsOwn(TransferKey key, String message) {
        note(message, key.toString(), "not its own");
    }

    @Nullable
    Refusal whyNotAsk(Topic topic, Question question) {
        boolean reads = question instanceof Question.Read || question instanceof Question.Checksum;
        return whyNot(reads ? Right.READ : Right.LIST, topic);
    }

    @Nullable
    Refusal whyNotSubscribe(SubscriptionSpec requested, Subscriptions subscriptions) {
        Topic topic = requested.topic();
        Refusal refusal = whyNot(Right.SUBSCRIBE, topic);
        Topic bound = subscriptions.topic(requested.name());
        boolean hidden = bound != null
                && !bound.equals(topic)
                && !access.sees(bound)
                && !access.allows(Right.SUBSCRIBE, bound, node);
        if (refusal == null && hidden) {
            return new Refusal(
                    ErrorCode.NOT_ALLOWED,
                    "subscription " + requested.name() + " cannot be used here; choose another --name");
        }
        return refusal == null && subscriptions.wouldJoinOthers(requested) ? whyNot(Right.JOIN, topic) : refusal;
    }

    /** Why questions about the topic's files do not go to this peer, which would answer them; null if they may. */
    @Nullable
    Refusal whyNotServe(Topic topic) {
        return whyNot(Right.SERVE, topic);
    }

    /** The same without a note, of one that would not answer them. */
    boolean mayServe(Topic topic) {
        return access.allows(Right.SERVE, topic, node);
    }

    private @Nullable Refusal whyNot(Right right, Topic topic) {
        if (access.allows(right, topic, node)) {
            Use use = new Use(right, topic);
            if (noted.size() < NOTED_LIMIT && noted.add(use)) {
                note(right.word(), topic.name(), Audit.OK);
            }
            return null;
        }
        note(right.word(), topic.name(), NO_RIGHT);
        return new Refusal(ErrorCode.NOT_ALLOWED, access.refusal(right, topic));
    }

    /** Takes a note of something that the peer did. */
    void note(String what, String object, String result) {
        audit.note(peer(), what, object, from, result);
    }
}
