package io.hawser.it.power;

import java.util.List;

/**
 * One disk call that killed or failed, and what followed: a line of the sweep's journal.
 *
 * @param phase transfer: counted from a node at rest on; start: from the start of its process on
 * @param number the number of the call, from 1 on; 0 in a line that only ends a sweep
 * @param call which call; "none" if the node makes fewer: the end of this sweep
 * @param file where, below the node's directories
 * @param exit the node's exit code; -1 if it kept running
 */
record Point(
        String commit,
        String node,
        String phase,
        String fault,
        int number,
        String call,
        String file,
        int exit,
        int attempts,
        int acked,
        List<String> violations)
        implements Trial {
    /** In {@link #call}: the sweep has come to its end. */
    static final String END = "none";

    @Override
    public boolean counts() {
        return !call.equals(END);
    }
}
