package io.hawser.release.drill;

import io.hawser.release.process.Chain.Part;

/** Where a canary is handed over. */
enum Way {
    /** At agent-a, as an FTP client does. */
    FTP("f"),
    /** At the broker, as a Java program does. */
    API("a");

    private final String letter;

    Way(String letter) {
        this.letter = letter;
    }

    /** Stands in the names of canaries, so that the nodes' pages show which way each went. */
    String letter() {
        return letter;
    }

    /** Whether it goes through that node. */
    boolean passes(Part node) {
        return this == FTP || node != Part.AGENT_A;
    }
}
