package io.hawser.core.model;

/**
 * The identity of a transfer: its publisher's node id and its id. The publisher is checked against the session, so no node can write into
 * another's transfer.
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
