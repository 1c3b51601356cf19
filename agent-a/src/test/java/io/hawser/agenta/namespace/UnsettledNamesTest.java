package io.hawser.agenta.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agenta.namespace.Namespace.Place;
import io.hawser.core.model.Topic;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Which changes of names wait for which. */
final class UnsettledNamesTest {
    private static final Topic TOPIC = new Topic("t");

    private final Queue<Runnable> loop = new ArrayDeque<>();
    private final UnsettledNames unsettled = new UnsettledNames(loop::add);
    private final List<String> ran = new ArrayList<>();

    private Runnable whenSettled(String... names) {
        List<Place> places =
                List.of(names).stream().map(name -> new Place(TOPIC, name)).toList();
        return unsettled.whenSettled(places, () -> ran.add(names[0]));
    }

    private void settled(String... names) {
        unsettled.settled(TOPIC, List.of(names));
        while (!loop.isEmpty()) {
            loop.remove().run();
        }
    }

    @Test
    void nameWaitsForItselfAndForDirectoriesAboveIt() {
        unsettled.accepted(TOPIC, List.of("d/e", "target"));

        List.of("d", "d/ef", "d/f", "e").forEach(this::whenSettled);
        unsettled.whenSettled(List.of(new Place(new Topic("other"), "d/e")), () -> ran.add("other"));
        assertThat(ran).containsExactly("d", "d/ef", "d/f", "e", "other");
        ran.clear();

        List.of("d/e", "d/e/f/g", "target").forEach(this::whenSettled);
        whenSettled("free", "target");
        assertThat(ran).isEmpty();
        settled("d/e", "target");
        assertThat(ran).containsExactly("d/e", "d/e/f/g", "target", "free");
    }

    @Test
    void waitsForEachOfSeveralChanges() {
        unsettled.accepted(TOPIC, List.of("x"));
        unsettled.accepted(TOPIC, List.of("x", "y"));
        whenSettled("x", "y", "d/z");
        settled("x");
        unsettled.accepted(TOPIC, List.of("d"));
        settled("x", "y");
        assertThat(ran).isEmpty();
        settled("d");
        assertThat(ran).containsExactly("x");
    }

    /** The first of two that waited is accepted: the second waits for it in turn. */
    @Test
    void thoseThatWaitGoOneAfterTheOther() {
        unsettled.accepted(TOPIC, List.of("x"));
        unsettled.whenSettled(List.of(new Place(TOPIC, "x")), () -> unsettled.accepted(TOPIC, List.of("x")));
        whenSettled("x");

        settled("x");
        assertThat(ran).isEmpty();
        settled("x");
        assertThat(ran).containsExactly("x");
    }

    @Test
    void whoeverLeavesDoesNotRun() {
        unsettled.accepted(TOPIC, List.of("x"));
        Runnable leavesBefore = whenSettled("x");
        Runnable leavesInBetween = whenSettled("x/y");
        leavesBefore.run();
        loop.add(leavesInBetween);

        settled("x");

        assertThat(ran).isEmpty();
    }

    @Test
    void tellsWhetherSomethingBelowIsUnsettled() {
        unsettled.accepted(TOPIC, List.of("d/e/f", "dd"));

        assertThat(unsettled.isBelow(new Place(TOPIC, "d"))).isTrue();
        assertThat(unsettled.isBelow(new Place(TOPIC, "d/e/f"))).isFalse();
        assertThat(unsettled.isBelow(new Place(new Topic("other"), "d"))).isFalse();
        settled("d/e/f", "dd");
        assertThat(unsettled.isBelow(new Place(TOPIC, "d"))).isFalse();
    }
}
