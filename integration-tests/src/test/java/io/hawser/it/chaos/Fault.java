package io.hawser.it.chaos;

import java.util.Locale;

/** What goes wrong. Thread: immutable. */
enum Fault {
    /** {@code kill -9} of a node, which is started again after a while. */
    KILL(true),
    /** SIGSTOP, and SIGCONT after a while. */
    STOP(true),
    /** The broker is killed, and its index deleted before it is started again. */
    INDEX(true),
    /** The connections of a link end in order, and no new ones come up for a while. */
    CUT(false),
    /** The connections of a link stay, and nothing passes for a while. */
    BLACKHOLE(false),
    /** The connections of a link are reset; new ones come up at once. */
    RESET(false),
    /** A link passes little for a while. */
    THROTTLE(false),
    /** {@code kill -9} of an FTP client in mid-upload: what it sent must not become visible. */
    CLIENT(false);

    /** Whether it befalls a node and not a link or a client. */
    final boolean ofNode;

    Fault(boolean ofNode) {
        this.ofNode = ofNode;
    }

    boolean ofLink() {
        return !ofNode && this != CLIENT;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws IllegalArgumentException if there is none of that name */
    static Fault of(String word) {
        return valueOf(word.strip().toUpperCase(Locale.ROOT));
    }
}
