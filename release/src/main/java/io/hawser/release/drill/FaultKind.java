package io.hawser.release.drill;

/** What is done to a node. */
enum FaultKind {
    /** SIGKILL, and later started again. */
    KILL("kill -9"),
    /** SIGSTOP, and later SIGCONT. */
    PAUSE("stop");

    private final String words;

    FaultKind(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }
}
