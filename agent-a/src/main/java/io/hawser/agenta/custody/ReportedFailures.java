package io.hawser.agenta.custody;

import io.hawser.core.model.TransferKey;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Transfers whose failure was the final reply to the client that sent them. Their clients were never told that they are accepted, so
 * they are no warning to the operator.
 *
 * <p>In memory, and bounded: the node warns again of those that it has forgotten, as after its restart.
 *
 * <p>Thread: the loop.
 */
public final class ReportedFailures {
    private static final int MAX = 10_000;

    private final Set<TransferKey> reported = new LinkedHashSet<>();

    /** A client gets the failure of {@code transfer} as its final reply. */
    public void add(TransferKey transfer) {
        reported.add(transfer);
        if (reported.size() > MAX) {
            reported.remove(reported.iterator().next());
        }
    }

    public boolean contains(TransferKey transfer) {
        return reported.contains(transfer);
    }
}
