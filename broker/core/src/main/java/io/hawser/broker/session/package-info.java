/** The sessions of agents and applications with this broker: who they are, and which of the relay's hops they carry. */
@NullMarked
package io.hawser.broker.session;

import org.jspecify.annotations.NullMarked;
