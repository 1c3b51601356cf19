package io.hawser.release.drill;

import java.util.List;

/** Takes canaries away that were looked at. Thread: any. */
interface Removal extends AutoCloseable {
    /** Takes it away, soon. One that is not there is no error. */
    void remove(String name);

    /** How many are still to be taken away. */
    int waiting();

    /** Those that cannot be taken away, and why, as sentences. */
    List<String> failures();

    /** Ends what it does. */
    @Override
    void close();

    /** For {@code --keep}. */
    Removal NONE = new Removal() {
        @Override
        public void remove(String name) {}

        @Override
        public int waiting() {
            return 0;
        }

        @Override
        public List<String> failures() {
            return List.of();
        }

        @Override
        public void close() {}
    };
}
