/**
 * Real node processes: {@link io.hawser.it.harness.NodeProcess} starts one with the memory that the launcher gives it,
 * waits for its READY line, kills and restarts it; {@link io.hawser.it.harness.Chain} is the three of them in one
 * directory; {@link io.hawser.it.harness.PacedUpload} is a client of agent-a. The demo and the integration tests stand
 * on these.
 */
@NullMarked
package io.hawser.it.harness;

import org.jspecify.annotations.NullMarked;
