/**
 * The far edge as a node: {@link io.hawser.agentb.AgentB} subscribes at the broker, receives into a landing area
 * ({@code common.landing}) and publishes into its target.
 */
@NullMarked
package io.hawser.agentb;

import org.jspecify.annotations.NullMarked;
