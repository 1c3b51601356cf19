package io.hawser.it.bench.recording;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How stages that run side by side share the time of one run.
 *
 * @param byStage each stage's, in the order in which they were given; only such as did something
 * @param nobodySeconds how long none of them was at work
 */
record StageTimes<S>(Map<S, Times> byStage, double nobodySeconds) {
    /**
     * @param count how many pieces of work
     * @param bytes that they were done to
     * @param workSeconds all pieces added up: more than the time that passed, if several were done at once
     * @param busySeconds how long at least one was being done
     * @param aloneSeconds how much of this no other stage did anything: what the run would surely be shorter without
     * @param firstSeconds from the run's begin to the begin of the first piece
     * @param lastSeconds from the run's begin to the end of the last one
     */
    record Times(
            int count,
            long bytes,
            double workSeconds,
            double busySeconds,
            double aloneSeconds,
            double firstSeconds,
            double lastSeconds) {}

    /** Of the pieces, as far as they lie between {@code from} and {@code to} (ns since 1970). */
    static <S> StageTimes<S> of(Map<S, List<Interval>> pieces, long from, long to) {
        Map<S, List<Interval>> inside = new LinkedHashMap<>();
        pieces.forEach((stage, intervals) -> {
            List<Interval> some = intervals.stream()
                    .flatMap(each -> each.within(from, to).stream())
                    .toList();
            if (!some.isEmpty()) {
                inside.put(stage, some);
            }
        });
        Map<S, Long> alone = new LinkedHashMap<>();
        long busy = alone(inside, alone);
        Map<S, Times> times = new LinkedHashMap<>();
        inside.forEach((stage, some) -> times.put(stage, times(some, alone.getOrDefault(stage, 0L), from)));
        return new StageTimes<>(times, (to - from - busy) / 1e9);
    }

    private static Times times(List<Interval> some, long aloneNanos, long from) {
        List<Interval> union = Interval.union(some);
        return new Times(
                some.size(),
                some.stream().mapToLong(Interval::bytes).sum(),
                some.stream().mapToLong(Interval::nanos).sum() / 1e9,
                union.stream().mapToLong(Interval::nanos).sum() / 1e9,
                aloneNanos / 1e9,
                (union.get(0).begin() - from) / 1e9,
                (union.get(union.size() - 1).end() - from) / 1e9);
    }

    /** A stage begins, or ends, to be at work. */
    private record Turn<S>(long at, S stage, boolean begins) {}

    /** Fills in how long each was the only one; returns how long at least one was at work. */
    private static <S> long alone(Map<S, List<Interval>> pieces, Map<S, Long> alone) {
        List<Turn<S>> turns = new ArrayList<>();
        pieces.forEach((stage, some) -> Interval.union(some).forEach(each -> {
            turns.add(new Turn<>(each.begin(), stage, true));
            turns.add(new Turn<>(each.end(), stage, false));
        }));
        turns.sort(Comparator.comparingLong(Turn::at));
        List<S> active = new ArrayList<>();
        long busy = 0;
        long before = 0;
        for (Turn<S> turn : turns) {
            if (!active.isEmpty()) {
                busy += turn.at() - before;
            }
            if (active.size() == 1) {
                alone.merge(active.get(0), turn.at() - before, Long::sum);
            }
            before = turn.at();
            if (turn.begins()) {
                active.add(turn.stage());
            } else {
                active.remove(turn.stage());
            }
        }
        return busy;
    }
}
