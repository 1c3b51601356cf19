package io.hawser.agenta.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agenta.namespace.Namespace.Place;
import io.hawser.core.model.Topic;
import org.junit.jupiter.api.Test;

/** What is remembered of the far ends is bounded, in number and in time. */
class ObstacleAnswerCacheTest {
    private long now;
    private final ObstacleAnswerCache answers = new ObstacleAnswerCache(() -> now);

    private static Topic topic(int i) {
        return new Topic("site-" + i);
    }

    private static Place place(String name) {
        return new Place(topic(0), name);
    }

    @Test
    void theNewestThatDidNotAnswerAreRememberedForAWhile() {
        for (int i = 0; i <= ObstacleAnswerCache.MAX_SLOW; i++) {
            answers.unanswered(topic(i));
        }
        assertThat(answers.isSlow(topic(0))).isFalse();
        assertThat(answers.isSlow(topic(1))).isTrue();
        assertThat(answers.isSlow(topic(ObstacleAnswerCache.MAX_SLOW))).isTrue();
        now += ObstacleAnswerCache.BELIEVED_SLOW.toNanos();
        assertThat(answers.isSlow(topic(1))).isFalse();
    }

    @Test
    void theNewestDirectoriesAreRememberedForAWhile() {
        for (int i = 0; i <= ObstacleAnswerCache.MAX_CLEAR; i++) {
            answers.remember(place("d" + i), true);
        }
        assertThat(answers.isClear(place("d0"), true)).isFalse();
        assertThat(answers.isClear(place("d1"), false)).isTrue();
        now += FarNamespace.FRESH.toNanos();
        assertThat(answers.isClear(place("d1"), true)).isFalse();
    }

    @Test
    void aDirectoryThatIsMissingIsInTheWayOfWhatDoesNotMakeIt() {
        answers.remember(place("d"), false);
        assertThat(answers.isClear(place("d"), true)).isTrue();
        assertThat(answers.isClear(place("d"), false)).isFalse();
    }

    @Test
    void aChangeMakesItselfAndWhatIsBelowForgotten() {
        for (String name : new String[] {"a", "a/b", "a/b/c", "a/bc"}) {
            answers.remember(place(name), true);
        }
        answers.changed(place("a/b"));
        answers.changed(new Place(topic(1), "a"));
        assertThat(answers.isClear(place("a"), false)).isTrue();
        assertThat(answers.isClear(place("a/bc"), false)).isTrue();
        assertThat(answers.isClear(place("a/b"), true)).isFalse();
        assertThat(answers.isClear(place("a/b/c"), true)).isFalse();
    }
}
