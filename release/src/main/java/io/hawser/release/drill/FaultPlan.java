package io.hawser.release.drill;

import io.hawser.release.process.ProcessChain.Part;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * Which fault comes next: rounds in which each of the chosen ones comes once, in an order that the seed decides.
 *
 * <p>Thread: one.
 */
final class FaultPlan {
    private final List<PlannedFault> chosen = new ArrayList<>();
    private final Deque<PlannedFault> round = new ArrayDeque<>();
    private final Random random;

    FaultPlan(Collection<Part> kills, Collection<Part> pauses, long seed) {
        kills.forEach(node -> chosen.add(new PlannedFault(FaultKind.KILL, node)));
        pauses.forEach(node -> chosen.add(new PlannedFault(FaultKind.PAUSE, node)));
        random = new Random(seed);
    }

    PlannedFault next() {
        if (round.isEmpty()) {
            List<PlannedFault> next = new ArrayList<>(chosen);
            Collections.shuffle(next, random);
            round.addAll(next);
        }
        return round.remove();
    }
}
