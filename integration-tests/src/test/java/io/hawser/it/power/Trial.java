package io.hawser.it.power;

import java.util.List;

/** A power cut, or a disk call that killed or failed: a line of a journal. */
interface Trial {
    String commit();

    /** Objects that were sent since the trial before. */
    int attempts();

    /** How many of these were acknowledged. */
    int acked();

    /** As lines {@code kind: what}. */
    List<String> violations();

    /** Whether it shows anything; false for one that only marks the end of a series. */
    default boolean counts() {
        return true;
    }

    /** Those of one commit. */
    static <T extends Trial> List<T> of(String commit, List<T> trials) {
        return trials.stream().filter(trial -> trial.commit().equals(commit)).toList();
    }

    static List<String> violations(List<? extends Trial> trials) {
        return trials.stream().flatMap(trial -> trial.violations().stream()).toList();
    }

    /** How many show something. */
    static int count(List<? extends Trial> trials) {
        return (int) trials.stream().filter(Trial::counts).count();
    }
}
