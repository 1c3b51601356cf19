/**
 * Far servers that agent-b delivers to or reads from: {@link io.hawser.agentb.deliver.FarServer} names one, {@link
 * io.hawser.agentb.deliver.FarOptions} holds how to connect. The client itself is in {@code deliver.ftp}.
 */
@NullMarked
package io.hawser.agentb.deliver;

import org.jspecify.annotations.NullMarked;
