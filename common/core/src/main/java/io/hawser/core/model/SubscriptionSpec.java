package io.hawser.core.model;

/**
 * A durable, named position on a topic: what a consumer asks for, and what the broker keeps.
 *
 * @param name unique at the broker; the same characters as a topic's name
 * @param topic what it binds to
 * @param owner the node id of the consumer, or of the last one
 * @param startAt where it starts if it is new
 * @param ackLevel what its acks mean
 * @param terms on which its consumer has it
 * @param roster who shares it, where several do
 * @param ownership who may consume it, where one does
 */
public record SubscriptionSpec(
        String name,
        Topic topic,
        NodeId owner,
        StartAt startAt,
        AckLevel ackLevel,
        SubscriptionTerms terms,
        Roster roster,
        Ownership ownership) {
    /** One with one consumer. */
    public SubscriptionSpec(
            String name, Topic topic, NodeId owner, StartAt startAt, AckLevel ackLevel, SubscriptionTerms terms) {
        this(name, topic, owner, startAt, ackLevel, terms, Roster.NONE, Ownership.NONE);
    }

    /** One without terms. */
    public SubscriptionSpec(String name, Topic topic, NodeId owner, StartAt startAt, AckLevel ackLevel) {
        this(name, topic, owner, startAt, ackLevel, SubscriptionTerms.NONE);
    }

    public SubscriptionSpec {
        new Topic(name); // the same alphabet and length
    }

    /** The same, shared by others. */
    public SubscriptionSpec with(Roster members) {
        return new SubscriptionSpec(name, topic, owner, startAt, ackLevel, terms, members, ownership);
    }

    /** The same on other terms. */
    public SubscriptionSpec with(SubscriptionTerms other) {
        return new SubscriptionSpec(name, topic, owner, startAt, ackLevel, other, roster, ownership);
    }

    /** The same, owned so. */
    public SubscriptionSpec with(Ownership other) {
        return new SubscriptionSpec(name, topic, owner, startAt, ackLevel, terms, roster, other);
    }
}
