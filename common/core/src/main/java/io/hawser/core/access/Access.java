package io.hawser.core.access;

import io.hawser.core.model.NodeId;
import io.hawser.core.model.Topic;

/**
 * The rights of one connected peer. It may always subscribe to the topic of its own replies; a node with any subscription may
 * publish to topics of replies, because a consumer of requests must be able to reply.
 *
 * @param peer its identity
 * @param grants its rights
 *
 * <p>Thread: immutable.
 */
public record Access(Identity peer, Grants grants) {
    /** The access of every peer if the broker has no TLS. */
    public static final Access OPEN = new Access(Identity.UNKNOWN, Grants.UNLESS_NAMED);

    public boolean allows(Right right, Topic topic, NodeId node) {
        if (topic.isOfReplies()) {
            if (right == Right.SUBSCRIBE) {
                return topic.equals(Topic.repliesTo(node));
            }
            return right == Right.PUBLISH && grants.allowSomewhere(Right.SUBSCRIBE);
        }
        return grants.allow(right, topic);
    }

    /** Whether the peer may know that the topic exists. */
    public boolean sees(Topic topic) {
        return grants.allow(Right.LIST, topic) || grants.allow(Right.ADMIN, topic);
    }

    /** Whether the peer may see totals and the state of the node. */
    public boolean seesAll() {
        return grants.allowEverywhere(Right.LIST) || grants.allowEverywhere(Right.ADMIN);
    }

    /** The sentence for a peer without that right; the same whether or not the topic exists. */
    public String refusal(Right right, Topic topic) {
        return peer.text() + " has no right to " + right.word() + " on topic " + topic
                + "; the broker's operator grants rights in its --acl file, or with 'hawser keys add' in a certificate";
    }
}
