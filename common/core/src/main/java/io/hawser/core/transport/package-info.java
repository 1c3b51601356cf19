/**
 * Drives hops over PTCP sessions: {@link io.hawser.core.transport.HopSession} joins the hop state machines to one session,
 * {@link io.hawser.core.transport.BrokerConnection} keeps an agent connected to its broker through every loss. Nothing is
 * decided here that the hop protocol could decide.
 */
@NullMarked
package io.hawser.core.transport;

import org.jspecify.annotations.NullMarked;
