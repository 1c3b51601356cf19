package io.hawser.it.sim;

import java.util.BitSet;
import java.util.StringJoiner;

/**
 * What is left out of a seed's schedule: faults by their count, from 0, and uploads by theirs. All that is drawn before the first thing that is
 * left out stays as it is.
 *
 * @param faults which faults do not strike
 * @param uploads which uploads (and other wishes of clients) never begin
 */
record Reduction(BitSet faults, BitSet uploads) {
    static final Reduction NONE = new Reduction(new BitSet(), new BitSet());

    Reduction withoutFaults(int from, int to) {
        BitSet more = (BitSet) faults.clone();
        more.set(from, to);
        return new Reduction(more, uploads);
    }

    Reduction withoutUpload(int number) {
        BitSet more = (BitSet) uploads.clone();
        more.set(number);
        return new Reduction(faults, more);
    }

    /** Such as {@code 0-4,7}. */
    static BitSet parse(String text) {
        BitSet set = new BitSet();
        for (String part : text.split(",", -1)) {
            String[] ends = part.split("-", 2);
            int first = Integer.parseInt(ends[0]);
            set.set(first, Integer.parseInt(ends[ends.length - 1]) + 1);
        }
        return set;
    }

    private static String text(BitSet set) {
        StringJoiner text = new StringJoiner(",");
        for (int from = set.nextSetBit(0); from >= 0; ) {
            int to = set.nextClearBit(from);
            text.add(to - from == 1 ? String.valueOf(from) : from + "-" + (to - 1));
            from = set.nextSetBit(to);
        }
        return text.toString();
    }

    /** As options of {@code integration-tests/lab sim replay}. */
    String toOptions() {
        return (faults.isEmpty() ? "" : " --without-faults " + text(faults))
                + (uploads.isEmpty() ? "" : " --without-uploads " + text(uploads));
    }
}
