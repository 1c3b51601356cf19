/** The sessions of agents and applications with this broker: their identities, and the relay's hops that they carry. */
@NullMarked
package io.hawser.broker.session;

import org.jspecify.annotations.NullMarked;
