package io.hawser.release.drill;

/**
 * Everything that a drill records: faults, canaries, what was sent again, and what did not hold.
 *
 * <p>Thread: any; each part says its own.
 */
record Evidence(FaultLog faults, CanaryLedger canaries, ResendWatch resends, DrillViolations violations) {}
