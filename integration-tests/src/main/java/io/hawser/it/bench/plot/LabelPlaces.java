package io.hawser.it.bench.plot;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Where names stand that belong beside the ends of lines, and must not cover each other. */
final class LabelPlaces {
    private LabelPlaces() {}

    /**
     * Places near the wanted ones, in the same order, each at least {@code gap} from the next, and none beyond {@code bottom} if
     * there is room above.
     */
    static List<Double> of(List<Double> wanted, double gap, double bottom) {
        List<Integer> order = IntStream.range(0, wanted.size())
                .boxed()
                .sorted(Comparator.comparing(wanted::get))
                .toList();
        List<Double> places = new ArrayList<>(wanted);
        double free = Double.NEGATIVE_INFINITY;
        for (int index : order) {
            double place = Math.max(wanted.get(index), free);
            places.set(index, place);
            free = place + gap;
        }
        double floor = bottom;
        for (int i = order.size() - 1; i >= 0; i--) {
            double place = Math.min(places.get(order.get(i)), floor);
            places.set(order.get(i), place);
            floor = place - gap;
        }
        return places;
    }
}
