/**
 * Where agent-b delivers when that is no directory of its own: {@link io.hawser.agentb.deliver.FarServer} names an existing server,
 * {@link io.hawser.agentb.deliver.FarOptions} says how it is spoken to. The client itself is in {@code deliver.ftp}.
 */
@NullMarked
package io.hawser.agentb.deliver;

import org.jspecify.annotations.NullMarked;
