package io.hawser.common.observe;

import java.util.List;

/**
 * The JSON of {@code /transfers}. Newest first; {@code /transfers?key=…} gives the transfers whose key or name begins or
 * ends with the text, {@code ?limit=…} how many at most.
 *
 * @param node the name of the node that answers, such as {@code broker}
 * @param transfers at most the limit
 * @param truncated whether there are more
 *
 * <p>Thread: immutable.
 */
public record TransferPage(String node, List<TransferStatus> transfers, boolean truncated) {
    public static final int DEFAULT_LIMIT = 100;
    public static final int MAX_LIMIT = 10_000;

    public TransferPage {
        transfers = List.copyOf(transfers);
    }
}
