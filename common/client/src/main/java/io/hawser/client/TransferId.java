package io.hawser.client;

import io.hawser.core.model.TransferKey;
import org.jspecify.annotations.Nullable;

/**
 * The sender's node id and its transfer id together: the identity of a transfer, the same at its sender, at every node and at each
 * receiver. Its text is what {@code hawser status} and the admin pages print.
 *
 * <p>Immutable; no method blocks.
 */
public final class TransferId implements Comparable<TransferId> {
    private final TransferKey key;

    TransferId(TransferKey key) {
        this.key = key;
    }

    /**
     * Parses what {@link #toString} gives.
     *
     * @throws IllegalArgumentException if {@code text} is no transfer id
     */
    public static TransferId parse(String text) {
        return new TransferId(TransferKey.parse(text));
    }

    TransferKey key() {
        return key;
    }

    /** Orders the transfers of one sender by the time at which they began. */
    @Override
    public int compareTo(TransferId other) {
        return key.compareTo(other.key);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TransferId id && key.equals(id.key);
    }

    @Override
    public int hashCode() {
        return key.hashCode();
    }

    /** The node id and the transfer id: twice 32 hex digits, joined by a dash. */
    @Override
    public String toString() {
        return key.toString();
    }
}
