package io.hawser.ops.observe;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * One transfer as a node sees it; an element of {@code /transfers}.
 *
 * @param key the transfer's key as text: publisher's node id and transfer id
 * @param object what is transferred; in the JSON a part of the transfer itself
 * @param state {@code refused} (for now: its publisher tries again), {@code receiving}, {@code committed}, {@code delivered}, {@code cancelled}, {@code failed},
 *     {@code dead} (on a far end's dead-letter list), {@code expired} (a rule of the operator's ended it) or {@code not followed} (the
 *     broker knows more)
 * @param ageMillis since this node first saw it
 * @param hops each hop that this node is an end of, the incoming one first
 * @param receipts what the far ends have reported so far
 */
public record TransferStatus(
        String key,
        @JsonUnwrapped TransferredObject object,
        String state,
        long ageMillis,
        List<HopStatus> hops,
        List<ReceiptLine> receipts) {
    /** The newest first, by when its publisher began it. */
    public static final Comparator<TransferStatus> NEWEST_FIRST =
            Comparator.comparing(TransferStatus::id).reversed();

    /**
     * What is transferred.
     *
     * @param topic the topic it was published to
     * @param name the object's name, as a path relative to the topic's root; empty for a message without one
     * @param kind {@code file}, {@code message} or the name of a namespace operation, in lower case
     * @param sizeBytes the final size, or -1 while it is not known
     * @param fragmentBytes the fragment size of its manifest; 0 if this node does not know it
     */
    public record TransferredObject(String topic, String name, String kind, long sizeBytes, long fragmentBytes) {}

    public TransferStatus {
        hops = List.copyOf(hops);
        receipts = List.copyOf(receipts);
    }

    /** The transfer id, whose text is ordered by time. */
    private String id() {
        return key.substring(key.lastIndexOf('-') + 1);
    }

    public Optional<HopStatus> hop(String name) {
        return hops.stream().filter(hop -> hop.hop().equals(name)).findFirst();
    }

    /** Whether all far ends that it was owed to have delivered it. */
    public boolean wasDelivered() {
        return state.equals("delivered");
    }
}
