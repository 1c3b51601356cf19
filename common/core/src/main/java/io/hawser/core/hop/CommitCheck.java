package io.hawser.core.hop;

import io.hawser.core.model.TransferKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks the receiver, at the beginning of each session, whether it still has what it has committed and what the store waits for: it may go on
 * with an older copy of its data. It asks a page at a time; the store hears the result when all is answered.
 *
 * <p>Thread: the sender's loop.
 */
final class CommitCheck {
    private final SenderStore store;
    private @Nullable HopLink link;
    private List<TransferKey> all = List.of();
    private int answered;
    private List<TransferKey> asked = List.of();
    private final Set<TransferKey> absent = new LinkedHashSet<>();
    private final Set<TransferKey> finished = new LinkedHashSet<>();

    CommitCheck(SenderStore store) {
        this.store = store;
    }

    /** Whether the receiver has yet to answer. */
    boolean isUnderWay() {
        return link != null;
    }

    void linkUp(HopLink newLink) {
        all = store.toCheck(newLink.peer());
        if (!all.isEmpty()) {
            link = newLink;
            ask(newLink);
        }
    }

    /** The next session begins anew. */
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
     * An answer came; what was not asked for does not count.
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
