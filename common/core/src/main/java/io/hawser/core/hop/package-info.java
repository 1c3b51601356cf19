/**
 * The hop protocol, written once and used on every hop: {@link io.hawser.core.hop.HopSender} and
 * {@link io.hawser.core.hop.HopReceiver} are state machines without sockets, files, clocks or threads. What they do to the
 * world they do through three ports: {@link io.hawser.core.hop.HopLink} (the session),
 * {@link io.hawser.core.hop.SenderStore} and {@link io.hawser.core.hop.ReceiverStore} (the durable store on their side).
 * A port's completions never come back inside the call that caused them; they are posted to the owner's loop, which is the
 * network loop in a node and the scheduler in the simulator.
 *
 * <p>The rule that everything rests on: a receiver announces only what its store has said to be durable, and a sender forgets
 * only what a receiver has announced.
 */
@NullMarked
package io.hawser.core.hop;

import org.jspecify.annotations.NullMarked;
