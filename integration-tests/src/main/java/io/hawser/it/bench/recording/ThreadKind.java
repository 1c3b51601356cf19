package io.hawser.it.bench.recording;

import java.util.regex.Pattern;

/** The threads of a node, by what they are for. */
enum ThreadKind {
    LOOP("network loop", "hawser-net.*"),
    DIGEST("digest threads", "hawser-digest.*"),
    DISK("disk threads and log writer", "hawser-(disk|spool|log|landing|serve).*"),
    INDEX("index thread", "hawser-index.*"),
    COMPILER("JIT compiler", "(C1|C2) Compiler.*|Sweeper.*"),
    COLLECTOR("garbage collector", "VM Thread|GC .*|G1 .*"),
    RECORDING("the recording itself", "JFR .*"),
    OTHER("other threads", ".*");

    final String title;

    @SuppressWarnings("ImmutableEnumChecker") // a Pattern does not change
    private final Pattern names;

    ThreadKind(String title, String names) {
        this.title = title;
        this.names = Pattern.compile(names);
    }

    /** Of a thread's name, or of its first 15 characters. */
    static ThreadKind of(String name) {
        for (ThreadKind kind : values()) {
            if (kind.names.matcher(name).matches()) {
                return kind;
            }
        }
        return OTHER;
    }

    /** Whether what it does is known by its name alone. */
    boolean isOneThing() {
        return this == COMPILER || this == COLLECTOR || this == RECORDING || this == OTHER;
    }
}
