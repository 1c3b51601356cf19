package io.hawser.core.model;

/**
 * The definition of a subscription, a durable named position on a topic.
 *
 * @param name unique at the broker; the same characters as a topic's name
 * @param topic its topic
 * @param owner the node id of its consumer, or of the last one
 * @param startAt where it starts if it is new
 * @param ackLevel the guarantee of its acks
 * @param terms its delivery settings
 * @param roster the members, if it is a group's
 * @param ownership its owner, if it is not a group's
 */
public record SubscriptionSpec(
        String name,
        Topic topic,
        NodeId owner,
        StartAt startAt,
        AckLevel ackLevel,
        SubscriptionTerms terms,
        GroupRoster roster,
        Ownership ownership) {
    public SubscriptionSpec(
            String name, Topic topic, NodeId owner, StartAt startAt, AckLevel ackLevel, SubscriptionTerms terms) {
        this(name, topic, owner, startAt, ackLevel, terms, GroupRoster.NONE, Ownership.NONE);
    }

    /** A subscription with one consumer and without terms. */
    public SubscriptionSpec(String name, Topic topic, NodeId owner, StartAt startAt, AckLevel ackLevel) {
        this(name, topic, owner, startAt, ackLevel, SubscriptionTerms.NONE);
    }

    public SubscriptionSpec {
        new Topic(name); // the same alphabet and length
    }

    /** The same with other members. */
    public SubscriptionSpec with(GroupRoster members) {
        return new SubscriptionSpec(name, topic, owner, startAt, ackLevel, terms, members, ownership);
    }

    public SubscriptionSpec with(SubscriptionTerms other) {
        return new SubscriptionSpec(name, topic, owner, startAt, ackLevel, other, roster, ownership);
    }

    /** The same with another owner. */
    public SubscriptionSpec with(Ownership other) {
        return new SubscriptionSpec(name, topic, owner, startAt, ackLevel, terms, roster, other);
    }
}
