package io.hawser.core.access;

import io.hawser.core.model.NodeId;
import io.hawser.core.model.Topic;

/**
 * The rights of one connected peer. It may always subscribe to the topic of its own replies; a node with any subscription may
 * publish to topics of replies, because whoever takes requests must be able to answer.
 *
 * @param peer who it is
 * @param grants its rights
 *
 * <p>Thread: immutable.
 */
public record Access(Identity peer, Grants grants) {
    /** Where nobody is asked who he is. */
    public static final Access OPEN = new Access(Identity.UNKNOWN, Grants.UNLESS_NAMED);

    private static final String REPLIES = "_reply.";

    /** Whether {@code node}, which is the peer, has that right on that topic. */
    public boolean allows(Right right, Topic topic, NodeId node) {
        if (topic.name().startsWith(REPLIES)) {
            if (right == Right.SUBSCRIBE) {
                return topic.equals(Topic.repliesTo(node));
            }
            return right == Right.PUBLISH && grants.allowSomewhere(Right.SUBSCRIBE);
        }
        return grants.allow(right, topic);
    }

    /** Whether it may know that there is such a topic. */
    public boolean sees(Topic topic) {
        return grants.allow(Right.LIST, topic) || grants.allow(Right.ADMIN, topic);
    }

    /** Whether it may see what is not of one topic: totals and the state of the node. */
    public boolean seesAll() {
        return grants.allowEverywhere(Right.LIST) || grants.allowEverywhere(Right.ADMIN);
    }

    /** The sentence for a peer that lacks a right; the same whether or not there is such a topic. */
    public String refusal(Right right, Topic topic) {
        return peer.text() + " has no right to " + right.word() + " on topic " + topic
                + "; the broker's operator gives rights in its --acl file, or 'hawser keys add' in a certificate";
    }
}
