package io.hawser.store.spool;

import io.hawser.core.model.FragmentRanges;

/**
 * Which fragments of an upload that broke off have come again, and are the same. Nothing is added before all of them have: until then
 * nobody knows whether what comes is of the same version.
 *
 * <p>Thread: the loop.
 */
final class ComparedFragments {
    private static final long NONE = -1;

    private final FragmentRanges before;
    /** The one of which the beginning was here; more than one are not compared. */
    private final long partial;

    private final FragmentRanges asked = new FragmentRanges();
    private final FragmentRanges same = new FragmentRanges();
    private long unasked;
    private long unseen;

    ComparedFragments(DurableBytes here) {
        this.before = here.full().copy();
        this.partial = here.partials().stream().findFirst().orElse(NONE);
        this.unasked = before.count();
        this.unseen = before.count();
    }

    /** How many whole fragments have not come again yet. */
    long toCome() {
        return unasked;
    }

    /** Fragment {@code index} has come. */
    void came(long index) {
        if (asked.add(index) && before.contains(index)) {
            unasked--;
        }
    }

    /** Whether all that was here has come again, though it may not be compared yet. */
    boolean allCame() {
        return unasked == 0 && (partial == NONE || asked.contains(partial));
    }

    /** Fragment {@code index} is here and is what has come. */
    void same(long index) {
        if (same.add(index) && before.contains(index)) {
            unseen--;
        }
    }

    boolean isSame(long index) {
        return same.contains(index);
    }

    /** The ones that are the same; a copy. */
    FragmentRanges same() {
        return same.copy();
    }

    /** Whether bytes may be added to fragment {@code index}: all others that were here are the same. */
    boolean mayAddTo(long index) {
        return unseen == 0 && (index == partial || isWhole());
    }

    /** Whether everything that was here is the same. */
    boolean isWhole() {
        return unseen == 0 && (partial == NONE || same.contains(partial));
    }
}
