package io.hawser.ops.observe;

import java.util.List;
import java.util.Objects;

/**
 * The JSON of {@code /transfers}. Newest first; {@code /transfers?key=…} gives the transfers whose key or name begins or
 * ends with the text, {@code ?limit=…} how many at most.
 *
 * @param node the name of the node that answers, such as {@code broker}
 * @param transfers at most the limit
 * @param truncated whether there are more
 * @param subscriptions at the broker, where no key is asked for: those that are owed something; empty otherwise
 *
 * <p>Thread: immutable.
 */
public record TransferPage(
        String node, List<TransferStatus> transfers, boolean truncated, List<SubscriptionStatus> subscriptions) {
    public static final int DEFAULT_LIMIT = 100;
    public static final int MAX_LIMIT = 10_000;

    public TransferPage {
        transfers = List.copyOf(transfers);
        subscriptions = List.copyOf(Objects.requireNonNullElse(subscriptions, List.of())); // an older broker names none
    }
}
