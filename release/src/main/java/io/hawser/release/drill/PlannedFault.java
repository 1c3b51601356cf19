package io.hawser.release.drill;

import io.hawser.release.process.ProcessChain.Part;

/** One kind of fault on one node. Thread: immutable. */
record PlannedFault(FaultKind kind, Part node) {
    @Override
    public String toString() {
        return kind.words() + " " + node.command();
    }
}
