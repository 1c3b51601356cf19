package io.hawser.it.chaos;

import io.hawser.it.ledger.Ledger;
import io.hawser.it.ledger.Violations;

/** What publishers, faults and checks of one run share. */
record RunParts(
        Settings settings,
        Deployment deployment,
        Ledger ledger,
        Violations violations,
        FaultCounts counts,
        Pulse pulse) {}
