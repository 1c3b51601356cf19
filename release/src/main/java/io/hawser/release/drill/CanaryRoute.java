package io.hawser.release.drill;

import io.hawser.release.process.ProcessChain.Part;

/** How a canary enters the system: by FTP at agent-a, or by the Java API at the broker. */
enum CanaryRoute {
    /** At agent-a, as an FTP client does. */
    FTP("f"),
    /** At the broker, as a Java program does. */
    API("a");

    private final String letter;

    CanaryRoute(String letter) {
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
