package io.hawser.release.drill;

import java.util.List;

/** Takes canaries away that were looked at. Thread: any. */
interface CanaryRemover extends AutoCloseable {
    /** Takes it away, soon. One that is not there is no error. */
    void remove(String name);

    /** How many are still to be taken away. */
    default int waiting() {
        return 0;
    }

    /** Those that cannot be taken away, and why, as sentences. */
    default List<String> failures() {
        return List.of();
    }

    @Override
    default void close() {}

    /** For {@code --keep}. */
    CanaryRemover NONE = name -> {};
}
