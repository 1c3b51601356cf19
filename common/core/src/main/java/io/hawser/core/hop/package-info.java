/**
 * The hop protocol, used on every hop: {@link io.hawser.core.hop.HopSender} and {@link io.hawser.core.hop.HopReceiver} are state machines
 * without sockets, files, clocks or threads. They act through three ports: {@link io.hawser.core.hop.HopLink} (the session), {@link
 * io.hawser.core.hop.SenderStore} and {@link io.hawser.core.hop.ReceiverStore} (the durable store of their side). A port's completions never
 * run inside the call that asked; they are posted to the owner's loop: the network loop in a node, the scheduler in the simulator.
 *
 * <p>The main rule: a receiver acks only what its store has made durable, and a sender forgets only what a receiver has acked.
 */
@NullMarked
package io.hawser.core.hop;

import org.jspecify.annotations.NullMarked;
