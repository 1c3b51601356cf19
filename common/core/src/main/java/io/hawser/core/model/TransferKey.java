package io.hawser.core.model;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a transfer: its publisher's node id and its id. The publisher is checked against the session, so no node can write into
 * another's transfer.
 */
public record TransferKey(NodeId publisher, TransferId id) implements Comparable<TransferKey> {
    /** The length of the form that {@link #putInto} writes. */
    public static final int LENGTH_BYTES = 32;

    /** Stands for no transfer where a key has a place of its own: all bits are zero. */
    public static final TransferKey NONE = new TransferKey(new NodeId(0, 0), new TransferId(0, 0));

    /** Reads the form that {@link #putInto} writes. */
    public static TransferKey read(ByteBuffer in) {
        return new TransferKey(new NodeId(in.getLong(), in.getLong()), new TransferId(in.getLong(), in.getLong()));
    }

    /** Writes the 128 bits of the publisher and the 128 bits of the id at the buffer's position, and returns the buffer. */
    public ByteBuffer putInto(ByteBuffer out) {
        return out.putLong(publisher.high())
                .putLong(publisher.low())
                .putLong(id.high())
                .putLong(id.low());
    }

    /** Parses the form that {@link #toString()} gives: two ids joined by a dash. */
    public static TransferKey parse(String text) {
        int dash = text.indexOf('-');
        if (dash < 0) {
            throw new IllegalArgumentException("a transfer key is NODE-TRANSFER, not \"" + text + "\"");
        }
        return new TransferKey(NodeId.parse(text.substring(0, dash)), TransferId.parse(text.substring(dash + 1)));
    }

    // Written out, since what a record has by default is linked at run time: the maps of each hop ask for it all the
    // time.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TransferKey that && id.equals(that.id) && publisher.equals(that.publisher);
    }

    @Override
    public int hashCode() {
        return 31 * publisher.hashCode() + id.hashCode();
    }

    @Override
    public int compareTo(TransferKey other) {
        int byPublisher = publisher.compareTo(other.publisher);
        return byPublisher != 0 ? byPublisher : id.compareTo(other.id);
    }

    @Override
    public String toString() {
        byte[] text = new byte[4 * Id128.LENGTH_BYTES + 1];
        Id128.putHex(publisher.high(), publisher.low(), text, 0);
        text[2 * Id128.LENGTH_BYTES] = '-';
        Id128.putHex(id.high(), id.low(), text, 2 * Id128.LENGTH_BYTES + 1);
        return new String(text, StandardCharsets.ISO_8859_1);
    }
}
