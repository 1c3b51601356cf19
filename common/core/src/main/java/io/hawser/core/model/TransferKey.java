package io.hawser.core.model;

/**
 * The identity of a transfer everywhere: the publisher's node id and the transfer id that the publisher chose. Because the publisher
 * is part of the key and is checked against the session, nobody can write into another's transfer.
 */
public record TransferKey(NodeId publisher, TransferId id) implements Comparable<TransferKey> {
    /** Parses the form that {@link #toString()} gives: two ids joined by a dash. */
    public static TransferKey parse(String text) {
        int dash = text.indexOf('-');
        if (dash < 0) {
            throw new IllegalArgumentException("a transfer key is NODE-TRANSFER, not \"" + text + "\"");
        }
        return new TransferKey(NodeId.parse(text.substring(0, dash)), TransferId.parse(text.substring(dash + 1)));
    }

    @Override
    public int compareTo(TransferKey other) {
        int byPublisher = publisher.compareTo(other.publisher);
        return byPublisher != 0 ? byPublisher : id.compareTo(other.id);
    }

    @Override
    public String toString() {
        return publisher + "-" + id;
    }
}
