/**
 * Real node processes: {@link io.hawser.release.process.NodeProcess} starts one with the memory that the launcher gives it,
 * waits for its READY line, kills and restarts it; {@link io.hawser.release.process.ProcessChain} is the three of them in one
 * directory; {@link io.hawser.release.process.PacedUpload} is a client of agent-a. The demo and the integration tests stand
 * on these.
 */
@NullMarked
package io.hawser.it.harness;

import org.jspecify.annotations.NullMarked;
