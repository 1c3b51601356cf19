/**
 * agent-a as a node: {@link io.hawser.agenta.AgentA} takes uploads from FTP clients into its spool
 * ({@code store.spool}) and publishes them to the broker while they are still coming in.
 */
@NullMarked
package io.hawser.agenta;

import org.jspecify.annotations.NullMarked;
