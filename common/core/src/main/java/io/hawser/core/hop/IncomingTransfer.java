package io.hawser.core.hop;

import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A transfer at its receiving end, for the time of one session.
 *
 * <pre>
 *   EARLY ──OPEN, new──────────► OPEN ──COMMIT, all durable──► COMMITTING ──► (answered, forgotten)
 *     └────OPEN, resumed──► LOOKING_UP ──► OPEN
 *   any ──refused by the store──► (REFUSE sent, closed)
 * </pre>
 *
 * <p>Thread: the receiver's loop.
 */
final class IncomingTransfer {
    enum State {
        /** Packets came before their OPEN. */
        EARLY,
        LOOKING_UP,
        OPEN,
        COMMITTING
    }

    final Map<Long, PartialFragment> partials = new HashMap<>();
    /**
     * Fragments that were given up in part and asked for again: what is still on its way of the first copy is not wanted, since
     * nobody would complete it if the sender had forgotten the transfer.
     */
    final Set<Long> askedAgain = new HashSet<>();
    /** Complete fragments that wait for OPEN or for the lookup; each holds a reference of its buffer. */
    final List<Fragment> held = new ArrayList<>();
    /** Fragments that the store is writing. */
    final FragmentRanges writing = new FragmentRanges();

    FragmentRanges durable = new FragmentRanges();
    State state = State.EARLY;
    /** The store has said that it has the transfer open. */
    boolean stored;

    @Nullable
    Manifest manifest;

    @Nullable
    Commit commit;

    /** How long its packets have waited for OPEN. */
    int earlyTicks;

    /** Whether it takes one of the sender's places for open transfers. */
    boolean countsAsOpen;

    boolean isEarly() {
        return state == State.EARLY;
    }

    int fragmentsHere() {
        return partials.size() + held.size();
    }

    /** The fragments that are in memory, whole or in part, and not yet the store's. */
    List<Long> indexesHere() {
        List<Long> indexes = new ArrayList<>(partials.keySet());
        held.forEach(fragment -> indexes.add(fragment.index()));
        return indexes;
    }

    /** Whether such a fragment is one of what was announced; not known before OPEN. */
    boolean mayHave(long index, int length) {
        Manifest announced = manifest;
        return announced == null || announced.hasFragment(index, length);
    }

    /** Whether what came before OPEN is of what was announced. */
    boolean mayHaveWhatIsHere() {
        return held.stream().allMatch(fragment -> mayHave(fragment.index(), fragment.length()))
                && partials.entrySet().stream().allMatch(each -> mayHave(each.getKey(), each.getValue().length));
    }

    boolean complete() {
        Commit known = commit;
        return known != null && durable.containsAll(0, known.fragmentCount());
    }

    /** Lets go of all memory. Partials that a stream is still writing into are released by their last writer. */
    void releaseAll(TransferKey key, ReceiveMeter meter) {
        partials.forEach((index, partial) -> {
            meter.lost(key, index, partial.arrivedBytes());
            partial.buffer().release();
        });
        partials.clear();
        held.forEach(fragment -> fragment.buffer().release());
        held.clear();
    }
}
