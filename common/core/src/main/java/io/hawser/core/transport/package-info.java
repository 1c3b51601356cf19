/**
 * Runs hops over PTCP sessions: {@link io.hawser.core.transport.HopSession} connects the hop state machines to one session, {@link
 * io.hawser.core.transport.BrokerConnection} keeps an agent connected to its broker. Decisions of the protocol are in {@code core.hop}.
 */
@NullMarked
package io.hawser.core.transport;

import org.jspecify.annotations.NullMarked;
