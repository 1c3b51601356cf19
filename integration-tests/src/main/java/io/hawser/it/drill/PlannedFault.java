package io.hawser.it.drill;

import io.hawser.it.harness.Chain.Part;

/** One kind of fault on one node. Thread: immutable. */
record PlannedFault(FaultKind kind, Part node) {
    @Override
    public String toString() {
        return kind.words() + " " + node.command();
    }
}
