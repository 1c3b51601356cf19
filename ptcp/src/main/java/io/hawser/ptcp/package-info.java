/**
 * Parallel TCP as a transport, usable alone: a <em>session</em> is one communication channel and N data channels between
 * two processes, all dialled by one side to one port. {@link io.hawser.ptcp.PtcpSession} carries framed messages;
 * {@code PTCPSocket} and {@code PTCPServerSocket} are a byte stream over such a session.
 */
@NullMarked
package io.hawser.ptcp;

import org.jspecify.annotations.NullMarked;
