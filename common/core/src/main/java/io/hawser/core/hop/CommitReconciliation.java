package io.hawser.core.hop;

import io.hawser.core.model.TransferKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks the receiver at the start of each session, or when the owner says so, whether it still has the commits that the store relies on: the
 * receiver may run on an older copy of its data. It asks a page at a time, and passes the result to the store after the last answer.
 *
 * <p>Thread: the sender's loop.
 */
final class CommitReconciliation {
    private final SenderStore store;
    private @Nullable HopLink link;
    private List<TransferKey> all = List.of();
    private int answered;
    private List<TransferKey> asked = List.of();
    private final Set<TransferKey> absent = new LinkedHashSet<>();
    private final Set<TransferKey> finished = new LinkedHashSet<>();

    CommitReconciliation(SenderStore store) {
        this.store = store;
    }

    /** Whether the receiver has yet to answer. */
    boolean isUnderWay() {
        return link != null;
    }

    void linkUp(HopLink newLink) {
        begin(newLink, store.toCheck(newLink.peer()));
    }

    /** Asks about {@code keys}, unless the receiver has yet to answer about others. */
    void begin(HopLink current, List<TransferKey> keys) {
        if (!isUnderWay() && !keys.isEmpty()) {
            all = List.copyOf(keys);
            link = current;
            ask(current);
        }
    }

    void linkDown() {
        link = null;
        all = List.of();
        asked = List.of();
        answered = 0;
        absent.clear();
        finished.clear();
    }

    private void ask(HopLink current) {
        asked = all.subList(answered, Math.min(all.size(), answered + HopMessage.Check.MOST_CHECKED));
        current.send(new HopMessage.Check(asked));
    }

    /**
     * Handles an answer. Transfers that were not asked about do not count.
     *
     * @return whether it was the last
     */
    boolean on(HopMessage.Checked answer) {
        HopLink current = link;
        if (current == null) {
            return false;
        }
        Set<TransferKey> page = Set.copyOf(asked);
        answer.absent().stream().filter(page::contains).forEach(absent::add);
        answer.finished().stream().filter(page::contains).forEach(finished::add);
        answered += asked.size();
        if (answered < all.size()) {
            ask(current);
            return false;
        }
        Set<TransferKey> absentAll = new LinkedHashSet<>(absent);
        Set<TransferKey> finishedAll = new LinkedHashSet<>(finished);
        finishedAll.removeAll(absentAll);
        linkDown();
        if (!absentAll.isEmpty() || !finishedAll.isEmpty()) {
            store.checked(absentAll, finishedAll);
        }
        return true;
    }
}
