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
 *   any ──refused by the store──► (REFUSE sent, forgotten)
 * </pre>
 *
 * <p>Thread: the receiver's loop.
 */
final class IncomingTransfer {
    enum State {
        /** Packets came before their OPEN. */
        EARLY,
        /** The store looks up what an earlier session left of it. */
        LOOKING_UP,
        /** Fragments go to the store. */
        OPEN,
        /** The store makes the COMMIT durable. */
        COMMITTING;

        private boolean mayBecome(State next) {
            return switch (this) {
                case EARLY -> next == LOOKING_UP || next == OPEN;
                case LOOKING_UP -> next == OPEN;
                case OPEN -> next == COMMITTING;
                case COMMITTING -> false;
            };
        }
    }

    final Map<Long, IncomingFragment> partials = new HashMap<>();
    /**
     * Fragments that were dropped in part and asked for again. Late packets of the first copy are discarded: no one would complete that copy
     * if the sender had forgotten the transfer.
     */
    final Set<Long> askedAgain = new HashSet<>();
    /** Complete fragments that wait for OPEN or for the lookup; each holds a reference of its buffer. */
    final List<Fragment> held = new ArrayList<>();

    final FragmentRanges writing = new FragmentRanges();

    FragmentRanges durable = new FragmentRanges();
    /** How many fragments in a row did not agree with their digests when they were stored. */
    int mismatches;

    private State state = State.EARLY;
    boolean stored;

    /** As OPEN announced it; null before. */
    @Nullable
    Manifest manifest;

    @Nullable
    Commit commit;

    /** Whether it counts in the sender's allowance of open transfers. */
    boolean countsAsOpen;

    State state() {
        return state;
    }

    /** Changes the state; {@link IllegalStateException} if that change is not in the drawing above. */
    void become(State next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException("an incoming transfer cannot change from " + state + " to " + next);
        }
        state = next;
    }

    boolean isEarly() {
        return state == State.EARLY;
    }

    int fragmentsHere() {
        return partials.size() + held.size();
    }

    /** The fragments in memory, whole or in part, that the store does not have yet. */
    List<Long> indexesHere() {
        List<Long> indexes = new ArrayList<>(partials.keySet());
        held.forEach(fragment -> indexes.add(fragment.index()));
        return indexes;
    }

    /** Whether the fragment belongs to the announced transfer; true before OPEN. */
    boolean mayHave(long index, int length) {
        Manifest announced = manifest;
        return announced == null || announced.hasFragment(index, length);
    }

    /** Whether the fragments that came before OPEN belong to the announced transfer. */
    boolean mayHaveWhatIsHere() {
        return held.stream().allMatch(fragment -> mayHave(fragment.index(), fragment.length()))
                && partials.entrySet().stream().allMatch(each -> mayHave(each.getKey(), each.getValue().length));
    }

    boolean complete() {
        Commit known = commit;
        return known != null && durable.containsAll(0, known.fragmentCount());
    }

    /** Releases all memory. A stream that still reads into a partial fragment has a reference of its own. */
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
