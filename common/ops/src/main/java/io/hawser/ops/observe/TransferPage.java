package io.hawser.ops.observe;

import java.util.List;
import java.util.Objects;

/**
 * The JSON of {@code /transfers}, newest first. {@code ?key=…} selects transfers by a part of their key or name, {@code ?limit=…} bounds their number.
 *
 * @param node the name of the node that answers, such as {@code broker}
 * @param transfers at most the limit
 * @param truncated whether there are more, or may be
 * @param searched 0 if all transfers were compared with the key, else how many of the newest were
 * @param subscriptions at the broker, without a key: those that are owed something; empty otherwise
 */
public record TransferPage(
        String node,
        List<TransferStatus> transfers,
        boolean truncated,
        long searched,
        List<SubscriptionStatus> subscriptions) {
    public static final int DEFAULT_LIMIT = 100;
    public static final int MAX_LIMIT = 10_000;

    public TransferPage {
        transfers = List.copyOf(transfers);
        subscriptions = List.copyOf(Objects.requireNonNullElse(subscriptions, List.of())); // an older broker names none
    }
}
