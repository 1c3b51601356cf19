/**
 * The far-end node: {@link io.hawser.agentb.AgentB} subscribes at the broker, receives into a landing area
 * ({@code io.hawser.store.landing}) and delivers into its target.
 */
@NullMarked
package io.hawser.agentb;

import org.jspecify.annotations.NullMarked;
